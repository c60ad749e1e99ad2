import type { Address } from "@carteiro/cep";
import type { Place } from "./directory.ts";

/** Question without the right answer. */
export interface Miss {
  readonly kind: string;
  readonly place: Place;
  readonly asked: string;
  readonly expected: string;
  readonly got: string;
}

/** Describes a record on one line. */
export function describe(record: Address): string {
  const { cep, logradouro, complemento, bairro, cidade, uf, nome } = record;
  const street = [nome, logradouro, complemento].filter(Boolean).join(" ");
  return `${cep} ${street}, ${bairro}, ${cidade}/${uf}`;
}

/** Prints the first misses of each kind. */
export function printMisses(misses: readonly Miss[], count: number): void {
  const printed = new Map<string, number>();
  for (const { kind, asked, expected, got } of misses) {
    const before = printed.get(kind) ?? 0;
    if (before >= count) continue;
    printed.set(kind, before + 1);
    console.log(`${kind}: ${asked}\n    not ${expected}\n    but ${got}`);
  }
}
