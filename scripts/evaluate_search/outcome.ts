import { addressQuestions, exactQuestions } from "./address_questions.ts";
import type { Directory } from "./directory.ts";
import {
  type AddressResults,
  addressTable,
  evaluateAddresses,
  scoreTable,
} from "./evaluate_addresses.ts";
import { evaluateSearches, searchTable } from "./evaluate_searches.ts";
import { addressGoals, exactGoals, type Goal, searchGoals } from "./goals.ts";
import type { QuestionOptions } from "./kinds.ts";
import type { Miss } from "./misses.ts";
import { searchQuestions } from "./search_questions.ts";
import type { Service } from "./service.ts";
import type { Table } from "./table.ts";

/** Outcome of a part of the evaluation. */
export interface Outcome {
  readonly tables: readonly Table[];
  /** Figures that no table has. */
  readonly lines: readonly string[];
  readonly goals: readonly Goal[];
  readonly misses: readonly Miss[];
}

/** Asks a part of the questions. */
export type Ask = (
  service: Service,
  directory: Directory,
  options: QuestionOptions,
) => Promise<Outcome>;

/** Exact rows for each question of a kind. */
const EXACT_ROWS = 50;

/** Parts of the evaluation, by name. */
export const PARTS = {
  async searches(service, directory, options) {
    const questions = [...searchQuestions(directory, options)];
    const results = await evaluateSearches(service, questions);
    const { perSecond, p50, p99, misses } = results;
    return {
      tables: [searchTable(results)],
      lines: [`Searches: ${speed(perSecond, p50, p99)}`],
      goals: searchGoals(results),
      misses,
    };
  },
  async addresses(service, directory, options) {
    const questions = [...addressQuestions(directory, options)];
    const results = await evaluateAddresses(service, directory, questions);
    const { kinds, places, sum, scores, misses } = results;
    return {
      tables: [
        addressTable(
          { title: "Addresses (POST /enderecos)", name: "noise" },
          kinds,
          sum,
        ),
        addressTable(
          { title: "Places of these addresses", name: "place" },
          places,
          sum,
        ),
        scoreTable("Scores of these addresses, of answers with a CEP", scores),
      ],
      lines: [
        `Addresses: ${speedOf(results)}`,
        `Lines with another answer than a body: ${results.differences}`,
        ...results.different.map((body) => `    ${body}`),
      ],
      goals: addressGoals(results),
      misses,
    };
  },
  async parts(service, directory, options) {
    const count = EXACT_ROWS * options.count;
    const questions = [...exactQuestions(directory, { ...options, count })];
    const results = await evaluateAddresses(service, directory, questions);
    const { places, sum, scores, misses } = results;
    const wrong = 5000 * sum.wrongAndSure / Math.max(1, sum.asked);
    return {
      tables: [
        addressTable(
          { title: "Exact rows, in parts without the CEP", name: "place" },
          places,
          sum,
        ),
        scoreTable("Scores of these rows", scores),
      ],
      lines: [
        `Exact rows: ${speedOf(results)}`,
        `Exact rows, wrong and sure: ${wrong.toFixed(1)} of 5,000`,
        `Lines with another answer than a body: ${results.differences}`,
      ],
      goals: exactGoals(results),
      misses,
    };
  },
} satisfies Readonly<Record<string, Ask>>;

function speedOf(
  { linesPerSecond, bodiesPerSecond, p50, p99 }: AddressResults,
): string {
  return `${linesPerSecond.toFixed(0)} lines or ` +
    speed(bodiesPerSecond, p50, p99);
}

function speed(perSecond: number, p50: number, p99: number): string {
  return `${perSecond.toFixed(0)} a second of processor time; ` +
    `one by one p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
}
