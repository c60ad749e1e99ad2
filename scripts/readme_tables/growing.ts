/**
 * Table of the ways to grow, with measured figures.
 *
 * @module
 */
import { markdownTable } from "../markdown.ts";
import { median } from "../median.ts";
import { ROOT } from "../root.ts";
import { demandOf } from "../scaling/capacity.ts";
import type { Measurements, WayName } from "../scaling/measurements.ts";

type Language = "en" | "pt";

/** Ways, in the order of the columns. */
const WAYS = ["files", "replica", "site"] as const;

type Way = typeof WAYS[number];

/** Cost of each way: a server with files is like any with a database. */
const COSTS: Readonly<Record<Way, WayName>> = {
  files: "deno",
  replica: "replica",
  site: "site",
};

/** Beginning of the description of each way's change of the release. */
const SWAPS: Readonly<Record<Way, string>> = {
  files: "`RELEASE_URL`",
  replica: "embedded replica",
  site: "static site",
};

/** Texts of a cell by language. */
type Texts = Readonly<Record<Language, string>>;

/** Rows of texts. */
const TEXTS: readonly {
  readonly head: Texts;
  readonly cells: Readonly<Record<Way, Texts>>;
}[] = [{
  head: { en: "for", pt: "para" },
  cells: {
    files: {
      en: "any number of servers that share nothing",
      pt: "qualquer número de servidores que não compartilham nada",
    },
    replica: {
      en: "servers that follow every import by themselves",
      pt: "servidores que acompanham cada importação por si",
    },
    site: {
      en: "pages and programs that only look up CEPs and places",
      pt: "páginas e programas que só consultam CEPs e lugares",
    },
  },
}, {
  head: { en: "settings", pt: "configurações" },
  cells: {
    files: { en: "`RELEASE_URL`", pt: "`RELEASE_URL`" },
    replica: { en: "`DB_URL` with `DB_PATH`", pt: "`DB_URL` com `DB_PATH`" },
    site: { en: "`EXPORT_FORMAT=static`", pt: "`EXPORT_FORMAT=static`" },
  },
}, {
  head: { en: "besides the servers", pt: "além dos servidores" },
  cells: {
    files: {
      en: "a bucket, a web server or a folder",
      pt: "um bucket, um servidor web ou uma pasta",
    },
    replica: {
      en: "a libSQL server",
      pt: "um servidor libSQL",
    },
    site: { en: "a CDN or a web server", pt: "uma CDN ou um servidor web" },
  },
}, {
  head: { en: "without them", pt: "sem eles" },
  cells: {
    files: {
      en: "the last release answers",
      pt: "a última release responde",
    },
    replica: {
      en: "the last release answers, imports fail",
      pt: "a última release responde, importações falham",
    },
    site: { en: "nothing answers", pt: "nada responde" },
  },
}];

/** Heads of the rows of figures. */
const FIGURES: Readonly<Record<string, Texts>> = {
  rate: {
    en: "lookups/s on a core",
    pt: "consultas/s em um núcleo",
  },
  memory: {
    en: "memory of a server (MB)",
    pt: "memória de um servidor (MB)",
  },
  time: {
    en: "until new data answer (s)",
    pt: "até os dados novos responderem (s)",
  },
  few: {
    en: "cores for 1,000 requests/s",
    pt: "núcleos para 1.000 requisições/s",
  },
  many: {
    en: "cores for 100,000 requests/s",
    pt: "núcleos para 100.000 requisições/s",
  },
  most: {
    en: "cores for 1,000,000 requests/s",
    pt: "núcleos para 1.000.000 requisições/s",
  },
  network: {
    en: "Gbit/s for 1,000,000 requests/s",
    pt: "Gbit/s para 1.000.000 requisições/s",
  },
  transferred: {
    en: "transfer per release (MB)",
    pt: "transferência por release (MB)",
  },
};

const NAMES: Readonly<Record<Way, Texts>> = {
  files: { en: "release files", pt: "arquivos de release" },
  replica: {
    en: "a primary with replicas",
    pt: "um primário com réplicas",
  },
  site: { en: "a static site", pt: "um site estático" },
};

/** Makes the table of the ways to grow. */
export function growingTable(language: Language): string {
  const measurements: Measurements = JSON.parse(
    Deno.readTextFileSync(`${ROOT}docs/scaling.json`),
  );
  const locale = language === "en" ? "en" : "pt-BR";
  const figures = WAYS.map((way) => figuresOf(way, measurements));
  const rows = [
    ...TEXTS.map(({ head, cells }) => [
      head[language],
      ...WAYS.map((way) => cells[way][language]),
    ]),
    ...Object.entries(FIGURES).map(([name, texts]) => [
      texts[language],
      ...figures.map((it) =>
        it[name]!.toLocaleString(locale, { maximumSignificantDigits: 2 })
      ),
    ]),
  ];
  const heads = WAYS.map((way) => NAMES[way][language]);
  return markdownTable(["", ...heads], rows);
}

function figuresOf(
  way: Way,
  { costs, swaps }: Measurements,
): Record<string, number> {
  const cost = costs.find((it) => it.way === COSTS[way]);
  const swap = swaps.find(({ text }) => text.startsWith(SWAPS[way]));
  if (cost === undefined || swap === undefined) {
    throw new Error(`Cannot write the table of growing: no figures of ${way}`);
  }
  const coresFor = (rate: number) => demandOf(cost, rate).instances;
  return {
    rate: 1e6 / median(cost.processor),
    memory: cost.memory,
    time: median(swap.times),
    transferred: swap.transferred,
    few: coresFor(1000),
    many: coresFor(100_000),
    most: coresFor(1_000_000),
    network: demandOf(cost, 1_000_000).network / 1e9,
  };
}
