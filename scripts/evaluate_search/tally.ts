/** Score from which an answer is sure. */
export const SURE = 0.8;

/** Score below which an answer says that it is not sure. */
export const UNSURE = 0.5;

/** Answers to addresses. */
export class AddressTally {
  asked = 0;
  right = 0;
  rightAndSure = 0;
  none = 0;
  wrong = 0;
  wrongAndSure = 0;

  /** Counts an answer. */
  add(answer: Judged): void {
    this.asked++;
    if (answer.isRight) this.right++;
    else if (answer.isNone) this.none++;
    else this.wrong++;
    if (answer.score < SURE || answer.isNone) return;
    if (answer.isRight) this.rightAndSure++;
    else this.wrongAndSure++;
  }
}

/** Answer to an address, compared with the right one. */
export interface Judged {
  readonly isRight: boolean;
  /** True if the answer has no CEP. */
  readonly isNone: boolean;
  /** True if the answer has a CEP, and that is right. */
  readonly isRightCep: boolean;
  readonly score: number;
}

/** Answers to searches. */
export class SearchTally {
  asked = 0;
  first = 0;
  among = 0;

  /** Counts an answer by the rank of the right record, -1 without it. */
  add(rank: number): void {
    this.asked++;
    if (rank === 0) this.first++;
    if (rank >= 0) this.among++;
  }
}

/** Answers of one tenth of scores. */
export interface Tenth {
  readonly from: number;
  readonly asked: number;
  readonly meanScore: number;
  readonly right: number;
}

/** Score of an answer whose street is certain, but not which CEP of it. */
export const ONE_OF_STREET = 0.5;

/** Scores and their truth, by tenth. */
export class Scores {
  readonly #tenths = Array.from({ length: 10 }, () => ({
    asked: 0,
    sum: 0,
    right: 0,
  }));

  /**
   * Answers with one CEP of the right street, and how many of them are right.
   * They are in no tenth: the service says that it does not know which CEP is
   * meant, and a question without a number accepts any.
   */
  readonly oneOfStreet = { asked: 0, right: 0 };

  /** Counts an answer with a CEP. */
  add(score: number, isRight: boolean): void {
    if (score === ONE_OF_STREET) {
      this.oneOfStreet.asked++;
      if (isRight) this.oneOfStreet.right++;
      return;
    }
    const tenth = this.#tenths[Math.min(9, Math.floor(score * 10 + 1e-9))]!;
    tenth.asked++;
    tenth.sum += score;
    if (isRight) tenth.right++;
  }

  /** Returns the tenths with answers. */
  tenths(): Tenth[] {
    return this.#tenths.flatMap(({ asked, sum, right }, i) =>
      asked === 0 ? [] : [{
        from: i / 10,
        asked,
        meanScore: sum / asked,
        right: right / asked,
      }]
    );
  }
}
