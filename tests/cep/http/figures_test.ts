import { assertEquals } from "@std/assert";
import {
  addUp,
  counter,
  type Figures,
  figuresText,
  gauge,
  lastingFigures,
} from "../../../cep/http/figures.ts";

/** Returns the figures of a process. */
function figures(
  requests: Readonly<Record<string, number>>,
  age = 0,
): Figures {
  const samples = Object.entries(requests)
    .map(([le, value]) => ({ labels: { le }, value }));
  return [
    counter("requests_total", "Requests.", samples),
    gauge("age", "Age.", age, "max"),
  ];
}

function lines(figures: Figures): string[] {
  return figuresText(figures).split("\n")
    .filter((line) => line && !line.startsWith("#"));
}

Deno.test("addUp sums counters by labels, and keeps the greatest age", () => {
  const all = [figures({ "1": 2, "+Inf": 3 }, 7), figures({ "+Inf": 4 }, 5)];
  assertEquals(lines(addUp(all)), [
    'requests_total{le="1"} 2',
    'requests_total{le="+Inf"} 7',
    "age 7",
  ]);
});

Deno.test("addUp keeps the least value of a gauge that asks for it", () => {
  const all = [3, 1, 2].map((it) => [gauge("start", "Start.", it, "min")]);
  assertEquals(lines(addUp(all)), ["start 1"]);
});

Deno.test("lastingFigures keeps counters only", () => {
  const lasting = lastingFigures([
    figures({ "1": 2 }, 7),
    figures({ "1": 3 }, 7),
  ]);
  assertEquals(lines(lasting), ['requests_total{le="1"} 5']);
  assertEquals(lines(addUp([lastingFigures([]), figures({ "1": 1 }, 2)])), [
    'requests_total{le="1"} 1',
    "age 2",
  ]);
});

Deno.test("figuresText writes the format of Prometheus", () => {
  const labels = { path: 'a"b\\c\nd', status: 200 };
  assertEquals(
    figuresText([
      counter("requests_total", "Requests.", [{ labels, value: 1.5 }]),
      gauge("age", "Age.", Infinity),
      {
        name: "duration",
        help: "Time.",
        type: "histogram",
        aggregator: "sum",
        samples: [{ suffix: "_sum", labels: {}, value: -Infinity }],
      },
    ]),
    `# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{path="a\\"b\\\\c\\nd",status="200"} 1.5

# HELP age Age.
# TYPE age gauge
age +Inf

# HELP duration Time.
# TYPE duration histogram
duration_sum -Inf
`,
  );
});
