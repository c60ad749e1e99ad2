import { type Directory, PLACES } from "./directory.ts";
import { describe, type Miss } from "./misses.ts";
import type { AddressQuestion } from "./question.ts";
import { readMatch, type Service } from "./service.ts";
import { percent, percentages, type Table } from "./table.ts";
import { AddressTally, Scores, SURE, UNSURE } from "./tally.ts";
import { percentile, processorSeconds } from "./timing.ts";

/** Results of addresses. */
export interface AddressResults {
  readonly kinds: ReadonlyMap<string, AddressTally>;
  readonly places: ReadonlyMap<string, AddressTally>;
  readonly sum: AddressTally;
  readonly scores: Scores;
  readonly misses: readonly Miss[];
  /** Addresses a second of processor time, as single bodies. */
  readonly bodiesPerSecond: number;
  /** The same, as lines of a stream. */
  readonly linesPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Addresses that a stream answers differently from a single body. */
  readonly differences: number;
  /** The first of them. */
  readonly different: readonly string[];
}

/** Lines of a request. */
const BATCH = 500;

/** Number of questions before the clock starts. */
const WARM_UP = 200;

/** Examples of differences that are kept. */
const EXAMPLES = 5;

/** Asks for addresses, and counts the right answers. */
export async function evaluateAddresses(
  service: Service,
  directory: Directory,
  questions: readonly AddressQuestion[],
): Promise<AddressResults> {
  const kinds = new Map<string, AddressTally>();
  const places = new Map<string, AddressTally>(
    PLACES.map((place) => [place, new AddressTally()]),
  );
  const sum = new AddressTally();
  const scores = new Scores();
  const misses: Miss[] = [];
  const { answers, times, perSecond: bodiesPerSecond } = await askOneByOne(
    service,
    questions,
  );
  questions.forEach((question, i) => {
    const { kind, place, hasNone, isAnswer } = question;
    const { cep, pontuacao: score } = readMatch(answers[i]!);
    const isRightCep = cep !== null && isAnswer(cep);
    const judged = {
      isRight: isAnswer(cep) || hasNone && score < UNSURE,
      isNone: cep === null,
      isRightCep,
      score,
    };
    for (const tally of [sum, at(kinds, kind), at(places, place)]) {
      tally.add(judged);
    }
    if (cep !== null) scores.add(score, isRightCep);
    if (judged.isRight) return;
    const found = cep === null ? undefined : directory.find(cep);
    const sure = cep !== null && score >= SURE ? " SURE" : "";
    misses.push({
      kind,
      place,
      asked: JSON.stringify(question.body),
      expected: hasNone ? "null" : describe(question.record),
      got: `${score}${sure} ${found === undefined ? cep : describe(found)}`,
    });
  });
  const { lines, perSecond: linesPerSecond } = await askInBatches(
    service,
    questions,
  );
  const different = questions.flatMap(({ body }, i) =>
    lines[i] === answers[i] ? [] : [JSON.stringify(body)]
  );
  return {
    kinds,
    places,
    sum,
    scores,
    misses,
    bodiesPerSecond,
    linesPerSecond,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    differences: different.length,
    different: different.slice(0, EXAMPLES),
  };
}

function at(tallies: Map<string, AddressTally>, name: string): AddressTally {
  const tally = tallies.get(name) ?? new AddressTally();
  tallies.set(name, tally);
  return tally;
}

async function askOneByOne(
  service: Service,
  questions: readonly AddressQuestion[],
): Promise<{ answers: string[]; times: number[]; perSecond: number }> {
  const step = Math.max(1, Math.floor(questions.length / WARM_UP));
  for (let i = 0; i < questions.length; i += step) {
    await service.match(questions[i]!.body);
  }
  const answers: string[] = [];
  const times: number[] = [];
  const seconds = await processorSeconds(async () => {
    for (const { body } of questions) {
      const start = performance.now();
      answers.push(await service.match(body));
      times.push(performance.now() - start);
    }
  });
  return { answers, times, perSecond: questions.length / seconds };
}

async function askInBatches(
  service: Service,
  questions: readonly AddressQuestion[],
): Promise<{ lines: string[]; perSecond: number }> {
  const lines: string[] = [];
  const seconds = await processorSeconds(async () => {
    for (let start = 0; start < questions.length; start += BATCH) {
      const batch = questions.slice(start, start + BATCH);
      lines.push(...await service.matchLines(batch.map(({ body }) => body)));
    }
  });
  return { lines, perSecond: questions.length / seconds };
}

/** Returns a table of tallies, with their sum. */
export function addressTable(
  { title, name }: { readonly title: string; readonly name: string },
  tallies: ReadonlyMap<string, AddressTally>,
  sum: AddressTally,
): Table {
  const row = (name: string, tally: AddressTally) => [
    name,
    tally.asked,
    percent(tally.right, tally.asked),
    percent(tally.rightAndSure, tally.asked),
    percent(tally.none, tally.asked),
    percent(tally.wrong, tally.asked),
    tally.wrongAndSure,
  ];
  return {
    title,
    columns: [
      { name },
      { name: "asked" },
      percentages("right"),
      percentages("right and sure"),
      percentages("null"),
      percentages("wrong"),
      { name: "wrong and sure" },
    ],
    rows: [
      ...[...tallies].map(([name, tally]) => row(name, tally)),
      row("all", sum),
    ],
  };
}

/** Returns the table of scores by tenth. */
export function scoreTable(title: string, scores: Scores): Table {
  const { asked, right } = scores.oneOfStreet;
  const oneOfStreet = [
    "0.5, one CEP of the street",
    asked,
    null,
    right / asked,
  ];
  return {
    title,
    columns: [
      { name: "score" },
      { name: "answers" },
      { name: "mean score", decimals: 3 },
      { name: "share right", decimals: 3 },
      { name: "difference", decimals: 3 },
    ],
    rows: [
      ...asked === 0 ? [] : [[...oneOfStreet, null]],
      ...scores.tenths().map(({ from, asked, meanScore, right }) => [
        `${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}`,
        asked,
        meanScore,
        right,
        right - meanScore,
      ]),
    ],
  };
}
