import type { Reply } from "./releases.ts";

/** Judgement of an answer. */
export type Verdict = "right" | "stale" | "wrong";

/** Returns the right answer of a release. */
export type Expect = (release: number) => Reply;

/**
 * Releases that the service may answer from: each answer must be wholly of one
 * release, and never of an older one than an earlier answer.
 */
export class AnswerJudge {
  #oldest = 0;
  #newest = 0;

  /** Oldest release that a request sent now may be answered from. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Newest release that may be published. */
  get newest(): number {
    return this.#newest;
  }

  /** Allows answers from the next release. */
  begin(): void {
    this.#newest++;
  }

  /** Refuses answers from releases before the newest. */
  finish(): void {
    this.#oldest = this.#newest;
  }

  /**
   * Judges an answer. A stale one is wholly of a release that had been replaced
   * when it was requested.
   *
   * @param oldest Value of {@linkcode oldest} when the request was sent.
   */
  judge(reply: Reply, oldest: number, expect: Expect): Verdict {
    const matches = this.#releases().filter((release) => {
      const { status, body } = expect(release);
      return status === reply.status && body === reply.body;
    });
    const [release] = matches.filter((it) => it >= oldest);
    if (release === undefined) return matches.length > 0 ? "stale" : "wrong";
    // Requests sent from now on are answered from this release or a later one.
    this.#oldest = Math.max(this.#oldest, release);
    return "right";
  }

  /**
   * Judges a stream of lines, each of which is answered when it arrives: a line
   * may be of a later release than the line before it.
   */
  judgeLines(reply: Reply, oldest: number, expect: Expect): Verdict {
    const lines = reply.body.split("\n");
    const expected = this.#releases().map((release) => {
      const { status, body } = expect(release);
      return status === reply.status ? body.split("\n") : [];
    });
    let release = oldest;
    for (const [i, line] of lines.entries()) {
      while (release < expected.length && expected[release]![i] !== line) {
        release++;
      }
      if (release < expected.length) continue;
      return expected.some((it) => it[i] === line) ? "stale" : "wrong";
    }
    return expected[release]!.length === lines.length ? "right" : "wrong";
  }

  #releases(): number[] {
    return Array.from({ length: this.#newest + 1 }, (_, i) => i);
  }
}
