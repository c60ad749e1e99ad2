/** Tables of the chapters of `oauth2`. */
import { type CaseName, CASES } from "../../tests/servers/_cases.ts";
import {
  type Declaration,
  reasonAgainst,
  SERVERS,
} from "../../tests/servers/_servers.ts";
import { markdownList, markdownTable } from "../markdown.ts";
import { CALLS } from "./field/calls.ts";
import {
  type Feature,
  LIBRARIES,
  type LibraryKey,
  type Support,
} from "./field/feature.ts";
import { REQUESTS } from "./field/requests.ts";
import { SIGN_IN } from "./field/sign_in.ts";

const TESTS = "../../tests/oauth2/";

/** Features of the comparison with other libraries, in the order of the rows. */
export const FEATURES: readonly Feature[] = [...SIGN_IN, ...REQUESTS, ...CALLS];

/** Returns the comparison with other libraries, and the list of its notes. */
export function fieldTable(): string {
  const keys = Object.keys(LIBRARIES) as LibraryKey[];
  const notes: string[] = [];
  const cell = (support: Support | undefined): string => {
    if (support === undefined) return "–";
    if (typeof support !== "object") return "✓";
    if (!notes.includes(support.partly)) notes.push(support.partly);
    return `(${notes.indexOf(support.partly) + 1})`;
  };
  const rows = FEATURES.map(({ title, test: [file], here, ...others }) => [
    `[${title}](${TESTS}${file})`,
    cell(here),
    ...keys.map((key) => cell(others[key])),
  ]);
  const head = keys.map((key) => {
    const { title, version } = LIBRARIES[key];
    return `${title} ${version}`;
  });
  const table = markdownTable(["feature", "this", ...head], rows);
  return `${table}\n\n${markdownList(notes)}`;
}

/** Returns the table of cases and servers, and the list of its reasons. */
export function serversTable(): string {
  const servers: readonly Declaration[] = Object.values(SERVERS);
  const reasons = servers.flatMap(({ title, unsupported }) =>
    Object.keys(unsupported).map((reason) => `${title} ${reason}.`)
  );
  const cell = (name: CaseName, server: Declaration): string => {
    const reason = reasonAgainst(name, server);
    if (reason === undefined) return "✓";
    return `– (${reasons.indexOf(`${server.title} ${reason}.`) + 1})`;
  };
  const head = servers.map(({ title, version }) => `${title} ${version}`);
  const names = Object.keys(CASES) as CaseName[];
  const rows = names.map((name) => [
    name,
    ...servers.map((server) => cell(name, server)),
  ]);
  return `${markdownTable(["case", ...head], rows)}\n\n${
    markdownList(reasons)
  }`;
}
