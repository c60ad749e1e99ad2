/** Values of one figure, one per phase. */
export interface Figure {
  readonly name: string;
  /** Lowest value of each phase, in order. */
  readonly values: readonly number[];
  /** Increase that counts as growth. */
  readonly tolerance: number;
}

/** Increase between the halves of a figure. */
export interface Growth {
  /** Highest value of the earlier half. */
  readonly before: number;
  /** Lowest value of the later half. */
  readonly after: number;
  /** True if the increase exceeds the tolerance. */
  readonly isGrowth: boolean;
}

/** Phases that a comparison needs: the first one is for the warm-up. */
export const LEAST_PHASES = 5;

/**
 * Compares the later half of the phases with the earlier one, without the first
 * phase. A value that rises and falls again is no growth: the lowest later
 * value must exceed the highest earlier one.
 *
 * @returns `undefined` with too few phases.
 */
export function findGrowth(
  { values, tolerance }: Pick<Figure, "values" | "tolerance">,
): Growth | undefined {
  if (values.length < LEAST_PHASES) return undefined;
  const warm = values.slice(1);
  const middle = Math.floor(warm.length / 2);
  const before = Math.max(...warm.slice(0, middle));
  const after = Math.min(...warm.slice(middle));
  return { before, after, isGrowth: after - before > tolerance };
}
