import { AggregatorRegistry, type Registry } from "prom-client";

/** Metric of a process at a time, as the library returns it. */
export interface Figure {
  /** Name of the metric. */
  readonly name: string;
  /** Kind of metric, e.g. `counter`. */
  readonly type: unknown;
}

/** Metrics of a process at a time. */
export type Figures = readonly Figure[];

type LibraryFigures = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Metrics of other processes. */
export interface OtherFigures {
  /** Sets the function that returns the figures of this process. */
  provide(read: () => Promise<Figures>): void;
  /**
   * Returns the figures of all other processes, the last ones of those that
   * have ended. Rejects if they take too long.
   *
   * @param own Figures of this process, which count if it ends.
   */
  collect(own: Figures): Promise<readonly Figures[]>;
}

/** Adds up metrics; each says by its `aggregator` how. */
export function addUp(all: readonly Figures[]): Registry {
  return AggregatorRegistry.aggregate([...all] as LibraryFigures[]);
}

/** Adds up the metrics that remain true of processes that have ended. */
export async function lastingFigures(
  all: readonly Figures[],
): Promise<Figures> {
  const lasting = all.map((figures) => figures.filter(isLasting));
  return await addUp(lasting).getMetricsAsJSON();
}

function isLasting({ type }: Figure): boolean {
  // An enumeration in the types of the library, words at run time.
  return ["counter", "histogram"].includes(`${type}`);
}

/** Writes figures as JSON, which knows no infinite numbers. */
export function encodeFigures(figures: Figures): string {
  return JSON.stringify(
    figures,
    (_key, value) => value === Infinity ? INFINITE : value,
  );
}

/** Reads figures that `encodeFigures` wrote. */
export function decodeFigures(text: string): Figures {
  return JSON.parse(
    text,
    (key, value) => key === "value" && value === INFINITE ? Infinity : value,
  );
}

const INFINITE = "Infinity";
