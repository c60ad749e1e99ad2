import { Latency } from "./latency.ts";

/** Faults that are described; the others are only counted. */
const DESCRIBED = 20;

/** Counts of one kind of traffic. */
export interface KindTally {
  readonly latency: Latency;
  faults: number;
}

/** Counts by kind of traffic, and the first faults. */
export class Tally {
  readonly kinds = new Map<string, KindTally>();
  readonly described: string[] = [];
  /** Number of all faults. */
  faults = 0;

  /** Counts an answer. */
  add(kind: string, milliseconds: number): void {
    this.#of(kind).latency.add(milliseconds);
  }

  /** Counts and describes a fault. */
  fault(kind: string, description: string): void {
    this.#of(kind).faults++;
    this.faults++;
    if (this.described.length < DESCRIBED) {
      this.described.push(`${kind}: ${description}`);
    }
  }

  #of(kind: string): KindTally {
    let tally = this.kinds.get(kind);
    if (tally === undefined) {
      tally = { latency: new Latency(), faults: 0 };
      this.kinds.set(kind, tally);
    }
    return tally;
  }

  /** Number of all answers. */
  get answers(): number {
    return [...this.kinds.values()]
      .reduce((sum, { latency }) => sum + latency.count, 0);
  }
}
