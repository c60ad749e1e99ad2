/** Answers to the lines of a stream. */
import { assertEquals, assertRejects } from "@std/assert";
import { setImmediate } from "node:timers/promises";
import {
  answerLines,
  type AnswerLinesOptions,
} from "../../../cep/http/answer_lines.ts";
import { Turns } from "../../../cep/util/turns.ts";
import { latin1 } from "../_directory.ts";
import { within } from "../_within.ts";

/** Milliseconds that no test reaches. */
const LONG_MS = 60_000;

/** Clock that stands still unless a test moves it, and turns by it. */
class Clock {
  ms = 0;
  readonly turns = new Turns(() => this.ms);
}

function answersTo(
  body: ReadableStream<Uint8Array>,
  options: Partial<AnswerLinesOptions> = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return answerLines(body, {
    answer: (line) => `<${line}>`,
    maxBytes: 256,
    turns: new Clock().turns,
    answerEnd: (reason) => `<${reason}>`,
    refusePart: () => undefined,
    linesPerPart: 1000,
    idleMs: LONG_MS,
    ...options,
  });
}

function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return within("the answers", new Response(stream as BodyInit).text());
}

/** Body that sends some chunks and then does not end. */
function unending(...chunks: readonly string[]) {
  const cancelled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(latin1(chunk));
    },
    cancel: () => cancelled.resolve(),
  });
  return { body, cancelled: within("the cancellation", cancelled.promise) };
}

for (
  const [name, text, answers] of [
    ["no lines", "", ""],
    ["every line in order", "a\nb\nc\n", "<a>\n<b>\n<c>\n"],
    ["a last line without its end", "a\nb", "<a>\n<b>\n"],
    ["empty lines", "\n\n", "<>\n<>\n"],
  ] as const
) {
  Deno.test(`answerLines answers ${name}`, async () => {
    assertEquals(await textOf(answersTo(new Blob([text]).stream())), answers);
  });
}

Deno.test("answerLines awaits some answers together, and sends them in order", async () => {
  const waiting: (() => void)[] = [];
  const answers = answersTo(new Blob(["a\nb\nc\nd\n"]).stream(), {
    answersAtOnce: 2,
    answer(line) {
      const { promise, resolve } = Promise.withResolvers<string>();
      waiting.push(() => resolve(line));
      // Of each pair, the last is answered first.
      if (waiting.length === 2) {
        waiting.splice(0).reverse().forEach((it) => it());
      }
      return promise;
    },
  });
  assertEquals(await within("answers", textOf(answers)), "a\nb\nc\nd\n");
});

Deno.test("answerLines sends answers before the end of the body", async () => {
  const { body, cancelled } = unending("a\nb\nc");
  const reader = answersTo(body).getReader();
  const { value } = await within("an answer", reader.read());
  assertEquals(new TextDecoder().decode(value), "<a>\n<b>\n");
  await reader.cancel();
  await cancelled;
});

Deno.test("answerLines reads no more than the client receives", async () => {
  let chunks = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunks++;
      controller.enqueue(latin1("a\n".repeat(500)));
    },
  }, { highWaterMark: 0 });
  const answers = answersTo(body, { answer: () => "x".repeat(65) });
  assertEquals(chunks, 0);
  const reader = answers.getReader();
  for (const count of [1, 2]) {
    await reader.read();
    assertEquals(chunks, count);
  }
  await reader.cancel();
});

Deno.test("answerLines splits the answers to a large chunk", async () => {
  const body = new Blob(["a\n".repeat(5000)]).stream();
  const sizes: number[] = [];
  for await (const chunk of answersTo(body, { answer: () => "x".repeat(99) })) {
    sizes.push(chunk.length);
  }
  assertEquals(sizes.reduce((sum, it) => sum + it, 0), 500_000);
  assertEquals(sizes.filter((it) => it > 66_000), []);
});

Deno.test("answerLines ends if no line arrives in time", async () => {
  const { body, cancelled } = unending("a\nb");
  const answers = answersTo(body, { idleMs: 1 });
  assertEquals(await textOf(answers), "<a>\n<timeout>\n");
  await cancelled;
});

Deno.test("answerLines stops reading if the client receives nothing", async () => {
  const { body, cancelled } = unending("a\n");
  const reader = answersTo(body, { idleMs: 1 }).getReader();
  await reader.read();
  await cancelled;
  await assertRejects(() => reader.read(), Error, "the client is idle");
});

Deno.test("answerLines stops reading if the client leaves while it waits", async () => {
  const { body, cancelled } = unending();
  const reader = answersTo(body).getReader();
  const answer = reader.read();
  await reader.cancel();
  await cancelled;
  assertEquals((await answer).done, true);
});

Deno.test("answerLines ends before a part that is refused", async () => {
  const refusals = [undefined, "<full>"];
  const { body, cancelled } = unending("1\n2\n3\n4\n5\n6\n");
  const answers = answersTo(body, {
    linesPerPart: 2,
    refusePart: () => refusals.shift(),
  });
  assertEquals(await textOf(answers), "<1>\n<2>\n<3>\n<4>\n<full>\n");
  await cancelled;
});

Deno.test("answerLines counts work as lines", async () => {
  let work = 0;
  let parts = 1;
  const answers = answersTo(new Blob(["1\n2\n3\n4\n5\n6\n7\n"]).stream(), {
    answer(line) {
      work += Number(line) > 4 ? 1 : 0;
      return `<${line}>`;
    },
    linesPerPart: 2,
    work: () => work,
    refusePart: () => parts++ < 4 ? undefined : "<full>",
  });
  // Four lines are two parts; each of the others is one and a half.
  assertEquals(
    await textOf(answers),
    "<1>\n<2>\n<3>\n<4>\n<5>\n<6>\n<full>\n",
  );
});

Deno.test("answerLines gives the event loop back between two lines", async () => {
  const clock = new Clock();
  const order: string[] = [];
  const answers = ["a", "b"].map((name) =>
    textOf(answersTo(new Blob(["1\n2\n3\n"]).stream(), {
      turns: clock.turns,
      answersAtOnce: 250,
      answer(line) {
        order.push(`${name}${line}`);
        clock.ms += 10;
        return line;
      },
    }))
  );
  let isEnded = false;
  const others = (async () => {
    while (!isEnded) {
      await setImmediate();
      if (order.at(-1) !== "other") order.push("other");
    }
  })();
  assertEquals(await Promise.all(answers), ["1\n2\n3\n", "1\n2\n3\n"]);
  isEnded = true;
  await others;
  const lines = order.filter((it) => it !== "other");
  assertEquals(lines, ["a1", "b1", "a2", "b2", "a3", "b3"]);
  const pairs = lines.slice(1).flatMap((line) => ["other", line]);
  assertEquals(order.slice(order.indexOf("a1"), order.indexOf("b3") + 1), [
    "a1",
    ...pairs,
  ]);
});

Deno.test("answerLines answers no more lines after the client has left", async () => {
  const asked: string[] = [];
  const reader = answersTo(new Blob(["1\n2\n3\n"]).stream(), {
    async answer(line) {
      asked.push(line);
      if (line === "2") await reader.cancel();
      return line;
    },
  }).getReader();
  assertEquals((await reader.read()).done, true);
  assertEquals(asked, ["1", "2"]);
});
