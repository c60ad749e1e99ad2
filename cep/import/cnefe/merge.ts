import { orderOf } from "./cep_order.ts";
import type { FileResult } from "./read_file.ts";

/** Group of a file. */
export interface Winner {
  readonly result: FileResult;
  /** Index of the group in the file. */
  readonly group: number;
}

/** Groups that stand for the CEPs: those with most addresses. */
export class MergedCounts {
  /** Number of CEPs. */
  readonly size: number;
  readonly #results: readonly FileResult[];
  /** Index of the file of each CEP, in order of CEP. */
  readonly #files: Uint32Array;
  /** Index of the group of each CEP in its file. */
  readonly #groups: Uint32Array;

  /**
   * Chooses the group of each CEP. Of two with as many addresses, that of the
   * lower municipality is chosen, so that the order of the files does not
   * matter.
   *
   * @param leftOut Municipalities to leave out of each file.
   */
  constructor(
    results: readonly FileResult[],
    leftOut: readonly ReadonlySet<number>[],
  ) {
    this.#results = results;
    const total = results.reduce(
      (sum, { counts }) => sum + counts.groups.ceps.length,
      0,
    );
    const ceps = new Uint32Array(total);
    const files = new Uint32Array(total);
    const groups = new Uint32Array(total);
    let size = 0;
    for (const [file, { counts }] of results.entries()) {
      const { ceps: own, municipalities } = counts.groups;
      const without = leftOut[file]!;
      for (let group = 0; group < own.length; group++) {
        if (without.has(municipalities[group]!)) continue;
        ceps[size] = own[group]!;
        files[size] = file;
        groups[size] = group;
        size++;
      }
    }
    const order = orderOf(ceps.subarray(0, size));
    this.#files = new Uint32Array(size);
    this.#groups = new Uint32Array(size);
    let last = -1;
    for (const position of order) {
      const file = files[position]!;
      const group = groups[position]!;
      const isSame = last >= 0 && ceps[position] === this.#cepAt(last);
      if (isSame && !this.#loses(last, file, group)) continue;
      if (!isSame) last++;
      this.#files[last] = file;
      this.#groups[last] = group;
    }
    this.size = last + 1;
  }

  /** Returns the group of a CEP by its position in order of CEP. */
  at(index: number): Winner {
    return {
      result: this.#results[this.#files[index]!]!,
      group: this.#groups[index]!,
    };
  }

  #cepAt(index: number): number {
    return this.#groupsOf(this.#files[index]!).ceps[this.#groups[index]!]!;
  }

  #groupsOf(file: number) {
    return this.#results[file]!.counts.groups;
  }

  /** True if another group has more addresses than the one chosen so far. */
  #loses(index: number, file: number, group: number): boolean {
    const other = this.#groupsOf(file);
    const own = this.#groupsOf(this.#files[index]!);
    const chosen = this.#groups[index]!;
    const more = other.addresses[group]! - own.addresses[chosen]!;
    if (more !== 0) return more > 0;
    return other.municipalities[group]! < own.municipalities[chosen]!;
  }
}
