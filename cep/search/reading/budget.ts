/** Work of one question: about 5 ms. */
const QUESTION = 160_000;

/** Words that are corrected or cut for one question, each about 0.3 ms. */
const LOOK_UPS = 16;

/** Costs of steps, in records whose words are counted. */
export const WORK = {
  /** Words are given to the parts of a record. */
  alignment: 100,
  /** Words are compared with the name of a place. */
  place: 40,
} as const;

/** Work that is left for a question, whatever its steps are. */
export class Budget {
  #left = 0;
  #lookUps = 0;
  #isOver = false;

  /** Begins a question. */
  begin(): void {
    this.#left = QUESTION;
    this.#lookUps = LOOK_UPS;
  }

  /** Share that is left, from 0 to 1. */
  get share(): number {
    return Math.max(0, this.#left / QUESTION);
  }

  /** Share that was spent, from 0 to 1, of the work or of the look-ups. */
  get spent(): number {
    return Math.min(1, Math.max(1 - this.share, 1 - this.#lookUps / LOOK_UPS));
  }

  /** Spends work. Returns false once the budget of the question is spent. */
  spend(work: number): boolean {
    this.#left -= work;
    return this.#left > 0 || this.#end();
  }

  /**
   * Spends a look-up of a word. Returns false once all are spent. Words that are
   * kept from earlier questions count, too: answers must not depend on them.
   */
  lookUp(): boolean {
    return this.#lookUps-- > 0 || this.#end();
  }

  #end(): false {
    this.#isOver = true;
    return false;
  }

  /** Returns true if a question has spent its budget since the last call. */
  takeOver(): boolean {
    const isOver = this.#isOver;
    this.#isOver = false;
    return isOver;
  }
}
