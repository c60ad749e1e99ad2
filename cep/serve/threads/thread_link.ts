import { atMost } from "../../util/at_most.ts";
import { collectGarbage } from "../../util/collect_garbage.ts";
import type { Figures, OtherFigures } from "../../http/figures.ts";
import { fromArrayMessage, toArrayMessage } from "../../util/array_message.ts";
import type { SharedParts } from "../../release/release_parts.ts";
import type { Freshness } from "../../store/store.ts";
import type { Parent } from "../serve.ts";
import type { FromThread, ToThread } from "./messages.ts";

/** Milliseconds until the first thread must have collected all figures. */
const COLLECT_MS = 5000;

interface Taking {
  readonly read: () => Promise<unknown>;
  readonly resolve: (data: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Connection of a thread to the first one. */
export class ThreadLink implements Parent, OtherFigures, SharedParts {
  /** Resolves when the thread must stop. */
  readonly stop: Promise<string>;
  readonly #stop = Promise.withResolvers<string>();
  readonly #send: (message: FromThread) => void;
  readonly #collecting = new Map<
    number,
    (figures: readonly Figures[]) => void
  >();
  readonly #taking = new Map<number, Taking>();
  #lastId = 0;
  #read: (() => Promise<Figures>) | undefined;
  #freshness: Freshness | undefined;

  /** @param send Sends a message to the first thread. */
  constructor(send: (message: FromThread) => void) {
    this.#send = send;
    this.stop = this.#stop.promise;
  }

  /** Handles a message of the first thread. */
  receive(message: ToThread): void {
    switch (message.kind) {
      case "stop":
        return this.#stop.resolve(message.reason);
      case "ask":
        this.#freshness = message.freshness;
        this.#report(message.id);
        return;
      case "collected":
        return this.#collecting.get(message.id)?.(message.figures);
      case "read":
        this.#readPart(message.id);
        return;
      case "part":
        this.#taking.get(message.id)?.resolve(fromArrayMessage(message.data));
        this.#taking.delete(message.id);
    }
  }

  listening(): void {
    this.#send({ kind: "listening" });
  }

  /** Age of the data, as the first thread knows it. */
  freshness(): Freshness | undefined {
    return this.#freshness;
  }

  provide(read: () => Promise<Figures>): void {
    this.#read = read;
  }

  /** Returns the figures of all other threads, none if they are late. */
  async collect(own: Figures): Promise<readonly Figures[]> {
    const id = ++this.#lastId;
    let collected: readonly Figures[] = [];
    const answer = new Promise<readonly Figures[]>((resolve) =>
      this.#collecting.set(id, resolve)
    );
    this.#send({ kind: "collect", id, figures: own });
    await atMost(COLLECT_MS, answer.then((figures) => collected = figures));
    this.#collecting.delete(id);
    return collected;
  }

  take<T>(
    release: number,
    name: string,
    read: () => Promise<T>,
  ): Promise<T> {
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#taking.set(id, { read, resolve: resolve as () => void, reject });
      this.#send({ kind: "take", id, release, name });
    });
  }

  drop(release: number): void {
    this.#send({ kind: "drop", release });
    collectGarbage();
  }

  async #readPart(id: number): Promise<void> {
    const taking = this.#taking.get(id)!;
    try {
      const data = await taking.read();
      this.#taking.delete(id);
      this.#send({ kind: "part", id, data: toArrayMessage(data) });
      taking.resolve(data);
    } catch (error) {
      this.#taking.delete(id);
      this.#send({ kind: "part", id });
      taking.reject(error);
    }
  }

  async #report(id: number): Promise<void> {
    // Without figures, it is a sign of life.
    const figures = await this.#read?.().catch(() => undefined);
    this.#send({ kind: "figures", id, figures });
  }
}
