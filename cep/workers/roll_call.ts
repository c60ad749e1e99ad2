/**
 * Questions to workers that may not answer.
 *
 * @module
 */
import type { Schedule } from "../later.ts";
import type { Slot } from "./slot.ts";

interface Question {
  readonly awaited: Set<Slot>;
  readonly done: () => void;
}

/** Questions to workers, until each has answered, has ended or is late. */
export class RollCall {
  readonly #schedule: Schedule;
  readonly #questions = new Map<number, Question>();
  #lastId = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /**
   * Asks workers, and waits for their answers.
   *
   * @param ask Sends the question with its number to a worker.
   */
  async ask(
    slots: readonly Slot[],
    ms: number,
    ask: (slot: Slot, id: number) => void,
  ): Promise<void> {
    if (slots.length === 0) return;
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#questions.set(id, { awaited: new Set(slots), done: resolve });
    const cancel = this.#schedule(resolve, ms);
    for (const slot of slots) ask(slot, id);
    await promise;
    cancel();
    this.#questions.delete(id);
  }

  /** Notes the answer of a worker to a question. */
  answered(slot: Slot, id: number | undefined): void {
    const question = id === undefined ? undefined : this.#questions.get(id);
    if (question) this.#remove(question, slot);
  }

  /** Notes that a worker has ended. */
  ended(slot: Slot): void {
    for (const question of this.#questions.values()) {
      this.#remove(question, slot);
    }
  }

  #remove({ awaited, done }: Question, slot: Slot): void {
    awaited.delete(slot);
    if (awaited.size === 0) done();
  }
}
