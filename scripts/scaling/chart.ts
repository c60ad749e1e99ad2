/**
 * Chart of the measurements: cost by server, memory by records, and cores by
 * requests a second.
 *
 * @module
 */
import { median } from "../median.ts";
import { limitsOf, TARGET, wireBytes } from "./capacity.ts";
import type { Cost, Measurements, WayName } from "./measurements.ts";
import {
  element,
  group,
  label,
  linear,
  logarithmic,
  type Scale,
  ticks,
} from "./svg.ts";
import { digits, orderedCosts } from "./tables.ts";
import { WAY_TEXTS } from "./ways_text.ts";

const WIDTH = 860;

/** Colours that are legible on white and on black. */
const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #24292f; }
.title { font-weight: 600; font-size: 15px; }
.quiet { fill: #656d76; font-size: 12px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.axis { stroke: #8c959f; }
.grid { stroke: #8c959f; stroke-opacity: 0.3; }
.whisker { stroke: #24292f; stroke-width: 1.5; }
.bar, .dot { fill: #3b82c4; }
.other { fill: #8c959f; }
.line { fill: none; stroke: #3b82c4; stroke-width: 2; }
.second { stroke: #c9711c; }
.third { stroke: #3f9a5a; }
.limit { stroke: #c0392b; stroke-width: 1.5; stroke-dasharray: 5 4; }
.line.thin { stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .quiet { fill: #9198a1; }
  .whisker { stroke: #e6edf3; }
}`;

/** Draws the chart. */
export function drawChart(measurements: Measurements): string {
  const costs = orderedCosts(measurements);
  const bars = barPanel(costs);
  const top = bars.height + 40;
  const left = group({ transform: `translate(0 ${top})` }, [
    memoryPanel(measurements),
  ]);
  const right = group({ transform: `translate(${WIDTH / 2} ${top})` }, [
    coresPanel(costs),
  ]);
  const height = top + PANEL.height;
  const { conditions: it } = measurements;
  const title = `CPU time, memory and cores of the service, measured with ` +
    `${digits(it.codes)} CEPs`;
  const root = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${WIDTH} ${height}`,
    width: WIDTH,
    height,
    role: "img",
    "aria-label": title,
  };
  const svg = element(
    "svg",
    root,
    "\n",
    element("style", {}, STYLE, "\n"),
    "\n",
    [bars.text, left, right].join("\n"),
    "\n",
  );
  return `${svg}\n`;
}

/** Bars of the processor time, with the range of all turns. */
function barPanel(costs: readonly Cost[]): { text: string; height: number } {
  const start = 290;
  const row = 28;
  const top = 48;
  const most = Math.max(
    ...costs.flatMap(({ processor, behind = [0] }) =>
      Math.max(...processor) + Math.max(...behind)
    ),
  );
  const x = linear({ values: [0, most], at: [start, WIDTH - 90] });
  const bottom = top + row * costs.length;
  const rows = costs.flatMap((cost, i) => barOf(cost, top + row * i, x));
  const height = bottom + 10;
  const text = group({}, [
    label(0, 18, "CPU seconds for a million lookups", { class: "title" }),
    label(0, 36, "grey: of the server behind; lines: least and most", {
      class: "quiet",
    }),
    ...rows,
    line(start, top - 4, start, bottom, "axis"),
  ]);
  return { text, height };
}

function barOf(
  { way, processor, behind }: Cost,
  y: number,
  x: Scale,
): string[] {
  const own = median(processor);
  const other = behind ? median(behind) : 0;
  const bar = (from: number, to: number, kind: string) =>
    element("rect", {
      x: x(from),
      y: y + 3,
      width: x(to) - x(from),
      height: 16,
      class: kind,
    });
  const [least, most] = [Math.min(...processor), Math.max(...processor)];
  const texts = behind ? [own, other] : [own];
  return [
    label(x(0) - 8, y + 16, WAY_TEXTS[way].replaceAll("`", ""), {
      class: "end",
    }),
    bar(0, own, way === "bare" ? "other" : "bar"),
    ...(behind ? [bar(own, own + other, "other")] : []),
    line(x(least), y + 11, x(most), y + 11, "whisker"),
    label(
      Math.max(x(own + other), x(most)) + 6,
      y + 16,
      texts.map(digits).join(" + "),
    ),
  ];
}

/** Area of a small panel. */
const PANEL = {
  left: 56,
  right: WIDTH / 2 - 24,
  top: 50,
  bottom: 260,
  height: 305,
};

function memoryPanel({ records }: Measurements): string {
  const { left, right, top, bottom } = PANEL;
  const xs = ticks(Math.max(...records.map(({ codes }) => codes)) / 1e6);
  const ys = ticks(Math.max(...records.map(({ memory }) => memory)));
  const x = linear({ values: [0, xs.at(-1)! * 1e6], at: [left, right] });
  const y = linear({ values: [0, ys.at(-1)!], at: [bottom, top] });
  const points = records.map(({ codes, memory }) => [x(codes), y(memory)]);
  return group({}, [
    label(0, 18, "Memory of a server by records", { class: "title" }),
    label(0, 36, "MB", { class: "quiet" }),
    ...ys.flatMap((value) => [
      line(left, y(value), right, y(value), "grid"),
      label(left - 8, y(value) + 4, digits(value), { class: "quiet end" }),
    ]),
    ...xs.map((value) =>
      label(x(value * 1e6), bottom + 20, digits(value), {
        class: "quiet middle",
      })
    ),
    label(right, bottom + 38, "million CEPs", { class: "quiet end" }),
    element("polyline", {
      points: points.map((it) => it.map(Math.round).join(",")).join(" "),
      class: "line",
    }),
    ...points.map(([cx, cy]) =>
      element("circle", { cx, cy, r: 4, class: "dot" })
    ),
  ]);
}

/** Ways in the panel of cores, with their short names. */
const LINES: Readonly<Partial<Record<WayName, [kind: string, name: string]>>> =
  {
    "deno": ["line", "Deno"],
    "node": ["line second", "Node"],
    "remote-queries": ["line third", "remote, no snapshot"],
  };

function coresPanel(costs: readonly Cost[]): string {
  const { left, right, top, bottom } = PANEL;
  const rates = [10, 100, 1000, 10_000, 100_000, 1_000_000];
  const cores = [0.001, 0.01, 0.1, 1, 10, 100, 1000];
  const x = logarithmic({ values: [10, 1e6], at: [left, right] });
  const y = logarithmic({ values: [0.001, 1000], at: [bottom, top] });
  const shown = costs.filter(({ way }) => LINES[way] !== undefined);
  const lines = shown.flatMap((cost, i) => {
    const { way, processor, behind = [0] } = cost;
    const perRequest = (median(processor) + median(behind)) / 1e6 / TARGET;
    const at = (rate: number) =>
      `${Math.round(x(rate))},${Math.round(y(rate * perRequest))}`;
    const [kind, name] = LINES[way]!;
    const keyY = bottom - 76 + 18 * i;
    return [
      element("polyline", {
        points: `${at(Math.max(10, 0.001 / perRequest))} ${at(1e6)}`,
        class: kind,
      }),
      line(right - 40, keyY - 4, right - 16, keyY - 4, kind),
      label(right - 48, keyY, name, { class: "quiet end" }),
    ];
  });
  const first = shown[0];
  const link = first &&
    limitsOf(first).find(({ limit }) => limit === "link")!.rate;
  return group({}, [
    label(0, 18, "Cores by requests a second", { class: "title" }),
    label(0, 36, `in use for ${TARGET * 100}% of the time`, { class: "quiet" }),
    ...cores.flatMap((value) => [
      line(left, y(value), right, y(value), "grid"),
      label(left - 8, y(value) + 4, String(value), { class: "quiet end" }),
    ]),
    ...rates.map((value) =>
      label(x(value), bottom + 20, short(value), { class: "quiet middle" })
    ),
    ...lines,
    ...(link === undefined || link > 1e6 ? [] : [
      line(x(link), top, x(link), bottom, "limit"),
      label(x(link) - 6, bottom - 8, "10 Gbit/s", { class: "quiet end" }),
    ]),
    label(
      right,
      bottom + 38,
      first ? `requests/s, ${digits(wireBytes(first))} bytes each` : "",
      { class: "quiet end" },
    ),
  ]);
}

function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`;
  return value >= 1000 ? `${value / 1000} k` : String(value);
}

function line(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  kind: string,
): string {
  return element("line", { x1, y1, x2, y2, class: kind });
}
