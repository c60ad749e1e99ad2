/** Judgement of answers during swaps. */
import { assertEquals } from "@std/assert";
import { AnswerJudge, type Verdict } from "../../../scripts/soak/judge.ts";
import type { Reply } from "../../../scripts/soak/releases.ts";

/** Returns an answer with the status 200. */
function ok(body: string): Reply {
  return { status: 200, body };
}

/** Returns a judge of releases 0 to `newest`, none of which has ended. */
function judgeOf(newest: number): AnswerJudge {
  const judge = new AnswerJudge();
  for (let release = 0; release < newest; release++) judge.begin();
  return judge;
}

/** Answers by release, the answer, and its verdict if release 1 is current. */
const CASES: readonly [
  name: string,
  bodies: readonly string[],
  reply: Reply,
  verdict: Verdict,
][] = [
  ["an answer of the current release", ["a", "b"], ok("b"), "right"],
  ["an answer that both releases give", ["a", "a"], ok("a"), "right"],
  ["an answer of a release before it", ["a", "b"], ok("a"), "stale"],
  ["an answer of no release", ["a", "b"], ok("c"), "wrong"],
  ["another status", ["a", "b"], { status: 404, body: "b" }, "wrong"],
  ["an answer that is cut", ["aa", "bb"], ok("b"), "wrong"],
  ["an answer of parts of two releases", ["aa", "bb"], ok("ab"), "wrong"],
];

for (const [name, bodies, reply, verdict] of CASES) {
  Deno.test(`AnswerJudge.judge finds ${name} ${verdict}`, () => {
    const judge = judgeOf(1);
    judge.finish();
    const expect = (release: number) => ok(bodies[release]!);
    assertEquals(judge.judge(reply, judge.oldest, expect), verdict);
  });
}

Deno.test("AnswerJudge.judge allows both releases during an import", () => {
  const judge = judgeOf(1);
  const expect = (release: number) => ok(`${release}`);
  assertEquals(judge.judge(ok("0"), judge.oldest, expect), "right");
  assertEquals(judge.judge(ok("1"), judge.oldest, expect), "right");
});

Deno.test("AnswerJudge.judge finds an old answer after a new one stale, but not one requested before", () => {
  const judge = judgeOf(1);
  const expect = (release: number) => ok(`${release}`);
  const before = judge.oldest;
  assertEquals(judge.judge(ok("1"), before, expect), "right");
  assertEquals(judge.judge(ok("0"), before, expect), "right");
  assertEquals(judge.judge(ok("0"), judge.oldest, expect), "stale");
});

Deno.test("AnswerJudge.judge assumes the older release of an answer that two give", () => {
  const judge = judgeOf(2);
  const bodies = ["a", "b", "a"];
  const expect = (release: number) => ok(bodies[release]!);
  assertEquals(judge.judge(ok("a"), judge.oldest, expect), "right");
  assertEquals(judge.judge(ok("b"), judge.oldest, expect), "right");
});

const STREAMS: readonly [name: string, body: string, verdict: Verdict][] = [
  ["of one release", "a0\nb0\nc0\n", "right"],
  ["that changes to the new release", "a0\nb1\nc1\n", "right"],
  ["that changes back to the old release", "a1\nb0\nc1\n", "stale"],
  ["with a wrong line", "a0\nx\nc0\n", "wrong"],
  ["with lines in another order", "b0\na0\nc0\n", "wrong"],
  ["that lacks its last line", "a0\nb0\n", "wrong"],
  ["with a line more", "a0\nb0\nc0\nd0\n", "wrong"],
  ["that is cut within a line", "a0\nb0\nc", "wrong"],
];

for (const [name, body, verdict] of STREAMS) {
  Deno.test(`AnswerJudge.judgeLines finds a stream ${name} ${verdict}`, () => {
    const judge = judgeOf(1);
    const expect = (release: number) =>
      ok(["a", "b", "c"].map((line) => `${line}${release}\n`).join(""));
    assertEquals(judge.judgeLines(ok(body), 0, expect), verdict);
  });
}
