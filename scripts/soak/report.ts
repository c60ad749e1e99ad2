import { findGrowth, LEAST_PHASES } from "./growth.ts";
import { type SoakReport, toFigures } from "./soak.ts";

/** Formats the report of a soak. */
export function formatReport(report: SoakReport): string {
  const { tally, seconds, swaps, problems, phases } = report;
  const isWatched = phases.length >= LEAST_PHASES;
  const lines = [
    row("", "answers", "p50 ms", "p99 ms", "max ms", "faults"),
    ...[...tally.kinds].sort().map(([kind, { latency, faults }]) =>
      row(
        kind,
        `${latency.count}`,
        latency.quantile(0.5).toFixed(1),
        latency.quantile(0.99).toFixed(1),
        latency.max.toFixed(1),
        `${faults}`,
      )
    ),
    "",
    `${tally.answers} answers in ${seconds.toFixed(0)} s, ` +
    `${Math.round(tally.answers / seconds)} a second; ` +
    `${swaps.length} new releases, served after ` +
    `${swaps.map((it) => it.toFixed(0)).join(", ")} ms`,
    "",
    ...growthLines(report),
    "",
    ...tally.described,
    ...problems,
    isPassed(report)
      ? `Passed: every answer is right${
        isWatched ? ", and nothing grows." : "."
      }`
      : `Failed: ${tally.faults} faults, ${problems.length} problems.`,
  ];
  return lines.join("\n");
}

/** True if a soak found nothing wrong. */
export function isPassed({ tally, problems }: SoakReport): boolean {
  return tally.faults === 0 && problems.length === 0 && tally.answers > 0;
}

function growthLines({ phases }: SoakReport): string[] {
  if (phases.length === 0) {
    return ["Memory and handles: unknown, only Linux reports them"];
  }
  return toFigures(phases).map((figure) => {
    const growth = findGrowth(figure);
    const values = figure.values.map((value) => value.toFixed(0)).join(" ");
    const state = growth === undefined
      ? "too few phases"
      : growth.isGrowth
      ? "GROWS"
      : "stable";
    const name = figure.name === "memory" ? "memory, MB" : figure.name;
    return `${name.padEnd(18)} after each phase: ${values} (${state})`;
  });
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(18) + cells.map((cell) => cell.padStart(10)).join("");
}
