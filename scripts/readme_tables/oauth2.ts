import { type CaseName, CASES } from "../../tests/servers/_cases.ts";
import {
  type Declaration,
  reasonAgainst,
  SERVERS,
} from "../../tests/servers/_servers.ts";
import { markdownList, markdownTable } from "../markdown.ts";

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
