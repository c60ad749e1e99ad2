/** Turns of the event loop. */
import { assertEquals, assertRejects } from "@std/assert";
import { setImmediate } from "node:timers/promises";
import { Turns } from "../../../cep/util/turns.ts";

/** Turns by a clock that work moves. */
class Scene {
  #ms = 0;
  #isEnded = false;
  readonly #turns = new Turns(() => this.#ms);
  /** Works, and the event loop in between. */
  readonly order: string[] = [];

  /** Takes a turn, and works for some milliseconds. */
  work(name: string, ms: number): Promise<boolean> {
    return this.#turns.run((isOver) => {
      this.order.push(name);
      this.#ms += ms;
      return isOver();
    });
  }

  /** Waits for works, and notes when the event loop was given back. */
  async watch(...works: readonly Promise<unknown>[]): Promise<string> {
    const others = this.#watch();
    await Promise.all(works);
    this.#isEnded = true;
    await others;
    return this.order.join(" ");
  }

  async #watch(): Promise<void> {
    while (!this.#isEnded) {
      await setImmediate();
      if (this.order.at(-1) !== "|") this.order.push("|");
    }
  }
}

Deno.test("Turns gives the event loop back after a turn, in the order of those who wait", async () => {
  const scene = new Scene();
  const twice = async (name: string) => {
    assertEquals(await scene.work(name, 5), true);
    assertEquals(await scene.work(name, 5), true);
  };
  const order = await scene.watch(twice("a"), twice("b"), twice("c"));
  assertEquals(order, "a | b | c | a | b | c |");
});

Deno.test("Turns adds up the time of works that end early", async () => {
  const scene = new Scene();
  const works = ["a", "b", "c", "d", "e"].map((it) => scene.work(it, 2));
  const order = await scene.watch(...works);
  assertEquals(order, "a b c | d e |");
});

Deno.test("Turns goes on while a work waits for something else", async () => {
  const turns = new Turns(() => 0);
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = turns.run(() => promise);
  assertEquals(await turns.run(() => "second"), "second");
  resolve("first");
  assertEquals(await first, "first");
});

Deno.test("Turns goes on after a work that fails", async () => {
  const turns = new Turns(() => 0);
  await assertRejects(() => turns.run(() => Promise.reject(new Error("no"))));
  assertEquals(await turns.run(() => "next"), "next");
});
