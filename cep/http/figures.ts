/** Value of a metric for one combination of its labels. */
export interface FigureSample {
  /** End of the name, if the metric has several, e.g. `_sum`. */
  readonly suffix?: string;
  /** Values of the labels by name. */
  readonly labels: Readonly<Record<string, string | number>>;
  /** Value. */
  readonly value: number;
}

/** Metric of a process at a time. */
export interface Figure {
  /** Name of the metric. */
  readonly name: string;
  /** Meaning, in a sentence. */
  readonly help: string;
  /** Kind of metric. */
  readonly type: "counter" | "gauge" | "histogram";
  /** How the values of several processes are combined. */
  readonly aggregator: "sum" | "max" | "min";
  /** Values. */
  readonly samples: readonly FigureSample[];
}

/** Metrics of a process at a time. */
export type Figures = readonly Figure[];

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

/** Returns a counter, from its value or its samples. */
export function counter(
  name: string,
  help: string,
  value: number | readonly FigureSample[],
): Figure {
  const samples = toSamples(value);
  return { name, help, type: "counter", aggregator: "sum", samples };
}

/** Returns a gauge, from its value or its samples. */
export function gauge(
  name: string,
  help: string,
  value: number | readonly FigureSample[],
  aggregator: Figure["aggregator"] = "sum",
): Figure {
  const samples = toSamples(value);
  return { name, help, type: "gauge", aggregator, samples };
}

function toSamples(
  value: number | readonly FigureSample[],
): readonly FigureSample[] {
  return typeof value === "number" ? [{ labels: {}, value }] : value;
}

const COMBINE: Readonly<
  Record<Figure["aggregator"], (one: number, other: number) => number>
> = { sum: (one, other) => one + other, max: Math.max, min: Math.min };

/** Combines the metrics of several processes; each says by its `aggregator` how. */
export function addUp(all: readonly Figures[]): Figures {
  const byName = Map.groupBy(all.flat(), ({ name }) => name);
  return [...byName.values()].map((figures): Figure => {
    const { aggregator } = figures[0]!;
    const sums = new Map<string, FigureSample>();
    for (const sample of figures.flatMap(({ samples }) => samples)) {
      const key = nameOf("", sample);
      const sum = sums.get(key);
      const value = sum === undefined
        ? sample.value
        : COMBINE[aggregator](sum.value, sample.value);
      sums.set(key, { ...sample, value });
    }
    return { ...figures[0]!, samples: [...sums.values()] };
  });
}

/** Adds up the metrics that remain true of processes that have ended. */
export function lastingFigures(all: readonly Figures[]): Figures {
  return addUp(
    all.map((figures) => figures.filter(({ type }) => type !== "gauge")),
  );
}

/** Media type of {@linkcode figuresText}. */
export const FIGURES_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Writes figures in the text format of Prometheus. */
export function figuresText(figures: Figures): string {
  return figures.map(({ name, help, type, samples }) =>
    [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map((it) => `${nameOf(name, it)} ${numberText(it.value)}`),
    ].join("\n")
  ).join("\n\n") + "\n";
}

/** Returns the name of a sample, with its labels. */
function nameOf(name: string, { suffix = "", labels }: FigureSample): string {
  const pairs = Object.entries(labels).map(([label, value]) =>
    `${label}="${`${value}`.replaceAll(/["\\\n]/g, escapeCharacter)}"`
  );
  return name + suffix + (pairs.length === 0 ? "" : `{${pairs.join(",")}}`);
}

function escapeCharacter(character: string): string {
  return character === "\n" ? "\\n" : `\\${character}`;
}

function numberText(value: number): string {
  return Math.abs(value) === Infinity
    ? (value > 0 ? "+Inf" : "-Inf")
    : `${value}`;
}
