import type { Address } from "@carteiro/cep";
import { type Directory, PLACES } from "./directory.ts";
import { HELD_OUT_PERCENT } from "./held_out.ts";
import type { AddressQuestion, SearchQuestion } from "./kinds.ts";
import { type Answers, askAll, type Service } from "./service.ts";

/** Table of figures. */
export interface Table {
  readonly title: string;
  /** Names of the columns, and the decimals of their numbers. */
  readonly columns: readonly (readonly [name: string, decimals?: number])[];
  /** Cells, `null` for a figure that does not exist. */
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Goal, and what was measured. */
export interface Goal {
  readonly name: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/** Question without the right answer. */
export interface Miss {
  readonly kind: string;
  readonly asked: string;
  readonly expected: string;
  readonly got: string;
}

/** Outcome of a part of the evaluation. */
export interface Outcome {
  readonly tables: readonly Table[];
  /** Figures that no table has. */
  readonly lines: readonly string[];
  readonly goals: readonly Goal[];
  readonly misses: readonly Miss[];
}

/** Formats a table with aligned columns. */
export function formatTable({ title, columns, rows }: Table): string {
  const lines = [
    columns.map(([name]) => name),
    ...rows.map((row) =>
      row.map((cell, column) =>
        typeof cell === "number"
          ? cell.toFixed(columns[column]![1] ?? 0)
          : cell ?? "–"
      )
    ),
  ];
  const widths = columns.map((_, column) =>
    Math.max(...lines.map((line) => line[column]!.length))
  );
  const formatted = lines.map((line) =>
    "  " +
    line.map((cell, column) =>
      column === 0
        ? cell.padEnd(widths[column]!)
        : cell.padStart(widths[column]!)
    ).join("  ")
  );
  return [title, ...formatted].join("\n");
}

/** Formats the first misses of each kind. */
export function formatMisses(misses: readonly Miss[], count: number): string[] {
  return [...Map.groupBy(misses, ({ kind }) => kind).values()].flatMap((all) =>
    all.slice(0, count).map(({ kind, asked, expected, got }) =>
      `${kind}: ${asked}\n    not ${expected}\n    but ${got}`
    )
  );
}

function describe(record: Address): string {
  const { cep, logradouro, complemento, bairro, cidade, uf, nome } = record;
  const street = [nome, logradouro, complemento].filter(Boolean).join(" ");
  return `${cep} ${street}, ${bairro}, ${cidade}/${uf}`;
}

function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : 100 * part / whole;
}

function describeSpeed({ perSecond, p50, p99 }: Answers<unknown>): string {
  return `${perSecond.toFixed(0)} a second of processor time; ` +
    `one by one p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
}

function atLeast(
  name: string,
  [part, whole]: readonly [part: number, whole: number],
  least: number,
): Goal {
  const share = percent(part, whole) ?? 100;
  return {
    name: `${name}: at least ${least} %`,
    measured: `${share.toFixed(1)} %`,
    isMet: share >= least,
  };
}

function atMost(
  name: string,
  [count, whole]: readonly [count: number, whole: number],
  most: number,
  of: number,
): Goal {
  return {
    name: `${name}: at most ${most === 0 ? "0" : `${most} of ${of}`}`,
    measured: `${count} of ${whole}`,
    isMet: count <= most * whole / of,
  };
}

/** Asks searches, and counts the right answers. */
export async function evaluateSearches(
  service: Service,
  questions: readonly SearchQuestion[],
): Promise<Outcome> {
  const asked = await askAll(questions, ({ query }) => service.search(query));
  const judged = questions.map(({ kind, isAnswer }, i) => ({
    kind,
    rank: asked.answers[i]!.findIndex(isAnswer),
  }));
  const row = (name: string, answers: readonly { readonly rank: number }[]) => {
    const first = answers.filter(({ rank }) => rank === 0).length;
    const among = answers.filter(({ rank }) => rank >= 0).length;
    return [name, answers.length, first, among] as const;
  };
  const sum = row("all", judged);
  const kinds = Map.groupBy(judged, ({ kind }) => kind);
  const rows = [...[...kinds].map(([kind, all]) => row(kind, all)), sum];
  const misses = questions.flatMap(({ kind, query, record }, i): Miss[] => {
    const { rank } = judged[i]!;
    if (rank === 0) return [];
    const found = asked.answers[i]!.slice(0, 3);
    const got = found.map(describe).join("; ") || "nothing";
    return [{
      kind,
      asked: JSON.stringify(query),
      expected: describe(record),
      got: rank > 0 ? `${got} (right: number ${rank + 1})` : got,
    }];
  });
  return {
    tables: [{
      title: "Searches (GET /busca)",
      columns: [["kind"], ["asked"], ["right@1 %", 1], ["right@10 %", 1]],
      rows: rows.map(([name, count, first, among]) => [
        name,
        count,
        percent(first, count),
        percent(among, count),
      ]),
    }],
    lines: [`Searches: ${describeSpeed(asked)}`],
    goals: [
      atLeast("searches, right one first", [sum[2], sum[1]], 88),
      atLeast("searches, right one among ten", [sum[3], sum[1]], 95),
    ],
    misses,
  };
}

/** Score from which an answer is sure. */
const SURE = 0.8;

/** Score below which an answer says that it is not sure. */
const UNSURE = 0.5;

/** Score of an answer whose street is certain, but not which CEP of it. */
const ONE_OF_STREET = 0.5;

/** Lines of a request. */
const BATCH = 500;

/** Examples of lines with another answer than a body. */
const EXAMPLES = 5;

/** Answer to an address, compared with the right one. */
export interface Judged {
  readonly isRight: boolean;
  /** True if the answer has no CEP. */
  readonly isNone: boolean;
  /** True if the answer has a CEP, and that is right. */
  readonly isRightCep: boolean;
  readonly score: number;
}

/** Answer that counts more or less than others. */
export interface Weighted extends Judged {
  /** Answers for which it stands. */
  readonly weight: number;
}

/** Counts of answers to addresses. */
export function tally(answers: readonly Judged[]) {
  const count = (counts: (answer: Judged) => boolean) =>
    answers.filter(counts).length;
  const isSure = ({ isNone, score }: Judged) => !isNone && score >= SURE;
  return {
    asked: answers.length,
    right: count(({ isRight }) => isRight),
    rightAndSure: count((it) => it.isRight && isSure(it)),
    none: count(({ isRight, isNone }) => isNone && !isRight),
    wrong: count(({ isRight, isNone }) => !isRight && !isNone),
    wrongAndSure: count((it) => !it.isRight && isSure(it)),
  };
}

type Tally = ReturnType<typeof tally>;

function addressTable(
  title: string,
  name: string,
  tallies: Readonly<Record<string, Tally>>,
): Table {
  return {
    title,
    columns: [
      [name],
      ["asked"],
      ["right %", 1],
      ["right and sure %", 1],
      ["null %", 1],
      ["wrong %", 1],
      ["wrong and sure"],
    ],
    rows: Object.entries(tallies).map(([name, it]) => [
      name,
      it.asked,
      percent(it.right, it.asked),
      percent(it.rightAndSure, it.asked),
      percent(it.none, it.asked),
      percent(it.wrong, it.asked),
      it.wrongAndSure,
    ]),
  };
}

/** Answers of one tenth of scores. */
interface Tenth {
  readonly from: number;
  /** Sum of the weights. */
  readonly asked: number;
  readonly meanScore: number;
  readonly right: number;
}

/**
 * Compares the scores of answers with a CEP, by tenth, with the share that is
 * right. Answers with one CEP of the right street are in no tenth: the service
 * says that it does not know which CEP is meant, and a question without a number
 * accepts any.
 */
export function compareScores(answers: readonly Weighted[]) {
  const withCep = answers.filter(({ isNone }) => !isNone);
  const isOneOfStreet = ({ score }: Judged) => score === ONE_OF_STREET;
  const byTenth = Map.groupBy(
    withCep.filter((it) => !isOneOfStreet(it)),
    ({ score }) => Math.min(9, Math.floor(score * 10 + 1e-9)),
  );
  const tenths = [...byTenth].sort(([one], [other]) => one - other)
    .map(([tenth, all]): Tenth => {
      const asked = total(all);
      return {
        from: tenth / 10,
        asked,
        meanScore: total(all, ({ score }) => score) / asked,
        right: total(all, ({ isRightCep }) => Number(isRightCep)) / asked,
      };
    });
  const oneOfStreet = withCep.filter(isOneOfStreet);
  const right = total(oneOfStreet, ({ isRightCep }) => Number(isRightCep));
  return { tenths, oneOfStreet: { asked: total(oneOfStreet), right } };
}

/** Sums the weights of answers, or what they have, by weight. */
function total(
  answers: readonly Weighted[],
  valueOf: (answer: Weighted) => number = () => 1,
): number {
  return answers.reduce((sum, it) => sum + it.weight * valueOf(it), 0);
}

type Scores = ReturnType<typeof compareScores>;

function scoreTable(title: string, { tenths, oneOfStreet }: Scores): Table {
  const { asked, right } = oneOfStreet;
  const rest = ["0.5, one CEP of the street", asked, null, right / asked, null];
  return {
    title,
    columns: [
      ["score"],
      ["answers"],
      ["mean score", 3],
      ["share right", 3],
      ["difference", 3],
    ],
    rows: [
      ...asked === 0 ? [] : [rest],
      ...tenths.map(({ from, asked, meanScore, right }) => [
        `${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}`,
        asked,
        meanScore,
        right,
        right - meanScore,
      ]),
    ],
  };
}

/** Asks for addresses one by one and as lines, and counts the right answers. */
export async function askAddresses(
  service: Service,
  directory: Directory,
  questions: readonly AddressQuestion[],
) {
  const asked = await askAll(questions, ({ body }) => service.match(body));
  const judged = questions.map((question, i) => {
    const { kind, place, hasNone, isAnswer } = question;
    const { cep = null, pontuacao: score = 0 }: {
      cep: string | null;
      pontuacao: number;
    } = JSON.parse(asked.answers[i]!);
    const isNone = cep === null;
    const isRight = isAnswer(cep) || hasNone && score < UNSURE;
    const isRightCep = !isNone && isAnswer(cep);
    return { kind, place, cep, isNone, isRight, isRightCep, score, question };
  });
  const misses = judged.filter(({ isRight }) => !isRight).map((it): Miss => {
    const { kind, cep, score, question } = it;
    const found = cep === null ? undefined : directory.find(cep);
    const sure = cep !== null && score >= SURE ? " SURE" : "";
    return {
      kind,
      asked: JSON.stringify(question.body),
      expected: question.hasNone ? "null" : describe(question.record),
      got: `${score}${sure} ${found === undefined ? cep : describe(found)}`,
    };
  });
  const batches = Array.from(
    { length: Math.ceil(questions.length / BATCH) },
    (_, i) => questions.slice(i * BATCH, (i + 1) * BATCH),
  );
  const lines = await askAll(
    batches,
    (batch) => service.matchLines(batch.map(({ body }) => body)),
    1,
  );
  const answered = lines.answers.flat();
  const different = questions.filter((_, i) => answered[i] !== asked.answers[i])
    .map(({ body }) => JSON.stringify(body));
  const perSecond = lines.perSecond * questions.length / batches.length;
  const sum = tally(judged);
  return {
    kinds: talliesBy(judged, ({ kind }) => kind, []),
    places: talliesBy(judged, ({ place }) => place, PLACES),
    sum,
    judged,
    misses,
    speed: `${perSecond.toFixed(0)} lines or ${describeSpeed(asked)}`,
    differences: {
      count: different.length,
      line: `Lines with another answer than a body: ${different.length}`,
      examples: different.slice(0, EXAMPLES).map((body) => `    ${body}`),
    },
  };
}

/** Counts by a name, those of all last; the names that are given come first. */
function talliesBy<Answer extends Judged>(
  answers: readonly Answer[],
  nameOf: (answer: Answer) => string,
  names: readonly string[],
): Record<string, Tally> {
  const groups = Map.groupBy(answers, nameOf);
  const all = [...new Set([...names, ...groups.keys()])];
  return {
    ...Object.fromEntries(all.map((it) => [it, tally(groups.get(it) ?? [])])),
    all: tally(answers),
  };
}

/** Answers of a tenth or of a place that are enough to judge it. */
const ENOUGH = 50;

type Asked = Awaited<ReturnType<typeof askAddresses>>;

/**
 * Judges the answers to addresses of all kinds, and to those of streets that the
 * directory lacks. These get the weight of their share in life.
 */
export function evaluateAddresses(asked: Asked, heldOut: Asked): Outcome {
  const { kinds, places, sum, misses, speed, differences } = asked;
  const { all: _, ...judgedPlaces } = places;
  const isEnough = ({ asked }: { readonly asked: number }) => asked >= ENOUGH;
  const share = HELD_OUT_PERCENT / (100 - HELD_OUT_PERCENT);
  const weight = share * sum.asked / Math.max(1, heldOut.sum.asked);
  const scores = compareScores([
    ...asked.judged.map((it) => ({ ...it, weight: 1 })),
    ...heldOut.judged.map((it) => ({ ...it, weight })),
  ]);
  return {
    tables: [
      addressTable("Addresses (POST /enderecos)", "noise", kinds),
      addressTable("Places of these addresses", "place", places),
      addressTable(
        "Addresses of streets that the directory lacks: null is right",
        "noise",
        heldOut.kinds,
      ),
      scoreTable(
        "Scores of answers with a CEP, " +
          `${HELD_OUT_PERCENT} % of the addresses on such streets`,
        scores,
      ),
    ],
    lines: [`Addresses: ${speed}`, differences.line, ...differences.examples],
    goals: [
      atLeast("addresses, right", [sum.right, sum.asked], 98),
      ...Object.entries(judgedPlaces).filter(([, it]) => isEnough(it)).map(
        ([name, it]) => atLeast(`addresses, ${name}`, [it.right, it.asked], 94),
      ),
      atMost(
        "addresses, wrong at 0.8",
        [sum.wrongAndSure, sum.asked],
        2,
        1150,
      ),
      atMost(
        "addresses of streets that the directory lacks, wrong at 0.8",
        [heldOut.sum.wrongAndSure, heldOut.sum.asked],
        5,
        1000,
      ),
      ...scores.tenths.filter(isEnough).map(({ from, meanScore, right }) => ({
        name: `share right, of scores from ${from.toFixed(1)}: within 0.1`,
        measured: `${right.toFixed(3)} at ${meanScore.toFixed(3)}`,
        isMet: Math.abs(right - meanScore) <= 0.1,
      })),
      atMost(
        "lines with another answer than a body",
        [differences.count, sum.asked],
        0,
        1,
      ),
    ],
    misses: [...misses, ...heldOut.misses],
  };
}

/** Judges the answers to exact rows in parts. */
export function evaluateParts(
  { places, sum, judged, misses, speed, differences }: Asked,
): Outcome {
  const wrong = 5000 * sum.wrongAndSure / Math.max(1, sum.asked);
  const scores = compareScores(judged.map((it) => ({ ...it, weight: 1 })));
  return {
    tables: [
      addressTable("Exact rows, in parts without the CEP", "place", places),
      scoreTable("Scores of these rows", scores),
    ],
    lines: [
      `Exact rows: ${speed}`,
      `Exact rows, wrong and sure: ${wrong.toFixed(1)} of 5,000`,
      differences.line,
    ],
    goals: [
      atLeast("exact rows in parts, right", [sum.right, sum.asked], 99.5),
      atMost(
        "exact rows in parts, wrong at 0.8",
        [sum.wrongAndSure, sum.asked],
        1,
        5000,
      ),
    ],
    misses,
  };
}
