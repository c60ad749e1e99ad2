/** Rows of a file counted in the simplest way, to compare with. */
import { type Header, readHeader } from "../../../../cep/import/cnefe/rows.ts";
import { isState } from "../../../../cep/import/cnefe/state_ranges.ts";

/** Counts of a file. */
export interface SlowCounts {
  readonly rows: number;
  readonly addresses: number;
  readonly repeated: number;
  readonly rejected: number;
  /** CEP, its municipality with most addresses, and their number. */
  readonly groups: readonly (readonly [string, string, number])[];
}

/** Counts a file of short rows, `undefined` if it must be refused. */
export function countSlowly(content: Uint8Array): SlowCounts | undefined {
  const text = String.fromCharCode(...content);
  const lines = text.split("\n").map((it) => it.replace(/\r$/, ""));
  const isCut = lines.at(-1) !== "" && !text.endsWith("\n");
  const rows = lines.filter((it) => it !== "");
  const header = headerOf(rows.shift() ?? "");
  const last = rows.at(-1);
  if (header === undefined || last === undefined) return undefined;
  const isSplit = (row: string) =>
    !row.includes("\0") && row.split(";").length === header.count;
  if (isCut && !isSplit(last)) return undefined;
  const usable = rows.filter(isSplit)
    .map((row) => row.split(";"))
    .map((fields) => ({
      cep: fields[header.columns.CEP]!.padStart(8, "0"),
      isCep: /^\d{7,8}$/.test(fields[header.columns.CEP]!),
      ibge: fields[header.columns.COD_MUNICIPIO]!,
      code: fields[header.columns.COD_UNICO_ENDERECO ?? -1] ?? "",
    }))
    .filter(({ cep, isCep, ibge }) =>
      isCep && Number(cep) >= 1_000_000 && /^\d{7}$/.test(ibge) &&
      isState(Number(ibge.slice(0, 2)))
    );
  const rejected = rows.length - usable.length;
  if (2 * rejected > rows.length) return undefined;
  const seen = new Set<number>();
  const groups = new Map<string, number>();
  for (const { cep, ibge, code } of usable) {
    const number = /^\d{1,9}$/.test(code) ? Number(code) : 0;
    if (number > 0 && seen.has(number)) continue;
    seen.add(number);
    const group = `${cep} ${ibge}`;
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  const addresses = [...groups.values()].reduce((sum, it) => sum + it, 0);
  return {
    rows: rows.length,
    addresses,
    repeated: usable.length - addresses,
    rejected,
    groups: winnersOf(groups),
  };
}

function headerOf(row: string): Header | undefined {
  if (row.includes("\0")) return undefined;
  try {
    return readHeader(row);
  } catch {
    return undefined;
  }
}

function winnersOf(groups: ReadonlyMap<string, number>): SlowCounts["groups"] {
  const sorted = [...groups].map(([group, addresses]) => {
    const [cep = "", ibge = ""] = group.split(" ");
    return [cep, ibge, addresses] as const;
  }).sort(([a, b, c], [d, e, f]) =>
    Number(a) - Number(d) || f - c || Number(b) - Number(e)
  );
  return sorted.filter(([cep], i) => cep !== sorted[i - 1]?.[0]);
}
