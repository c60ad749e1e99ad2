import {
  type AddressParts,
  NO_PARTS,
  type Part,
} from "../../record/address_parts.ts";
import type { Alignment } from "./alignment.ts";
import { KILOMETRES } from "./building_number.ts";
import { COSTS } from "./costs.ts";
import type { Query } from "./query.ts";
import type { Field } from "./tokens.ts";

/** True for each part that agrees with a record, false for one that does not. */
export type Agreements = Readonly<Partial<Record<Part, boolean>>>;

/** Returns the parts that an address and a record both have. */
export function agreementsOf({ texts }: Query, it: Alignment): Agreements {
  const { rest, stateAgrees, cepAgrees } = it;
  const agreements: Partial<Record<Part, boolean>> = {};
  if (it.street | rest.street) {
    agreements.logradouro = !it.isGeneral && !it.nameDiffers &&
      rest.street === 0 && it.typeCost < COSTS.otherType;
  }
  if (it.numberAgrees !== "absent") {
    agreements.numero = it.numberAgrees === "same";
  }
  if (it.neighbourhood | rest.neighbourhood) {
    agreements.bairro = it.neighbourhoodAgrees === "same";
  }
  if (it.city | rest.city) agreements.cidade = it.cityAgrees === "same";
  if (stateAgrees !== "absent" || texts.uf.trim() !== "") {
    agreements.uf = stateAgrees === "same";
  }
  if (cepAgrees !== "absent" || texts.cep.trim() !== "") {
    agreements.cep = cepAgrees === "same";
  }
  return agreements;
}

/** Returns the parts of an address as they were read for a record. */
export function partsOf(query: Query, it: Alignment): AddressParts {
  const { street, neighbourhood, city, complement, rest, number } = it;
  const units = query.units & ~(street | neighbourhood | city) &
    ~(number < 0 ? 0 : 1 << number);
  return {
    logradouro: textOf(query, street | rest.street),
    numero: number < 0
      ? query.hasNoNumber ? "s/n" : ""
      : numberText(query, number),
    complemento: textOf(query, complement | rest.complement | units),
    bairro: textOf(query, neighbourhood || rest.neighbourhood),
    cidade: textOf(query, city || rest.city),
    uf: query.uf || query.texts.uf.trim(),
    cep: query.cep || query.texts.cep.trim(),
  };
}

/** Returns the parts of an address for which no record was found. */
export function partsWithoutRecord(query: Query, city: number): AddressParts {
  const { tokens, fields, figures, units, texts, fillers, stateTokens } = query;
  const given = (field: Exclude<Field, "endereco">) => texts[field].trim();
  const others = city | units | stateTokens;
  let street = 0;
  for (let i = 0; i < tokens.length; i++) {
    const bit = 1 << i;
    if ((query.head & fields.endereco & bit) === 0) continue;
    if (street !== 0 && (others | figures) & bit) break;
    street |= bit & ~(others | figures | fillers);
  }
  const free = fields.endereco & ~(street | others);
  const number = free & figures & -(free & figures);
  return {
    ...NO_PARTS,
    logradouro: given("logradouro") || textOf(query, street),
    numero: given("numero") || textOf(query, number),
    complemento: given("complemento") ||
      textOf(query, units & fields.endereco),
    bairro: given("bairro") ||
      textOf(query, free & ~(figures | fillers)),
    cidade: given("cidade") || textOf(query, city),
    uf: query.uf || given("uf"),
    cep: query.cep || given("cep"),
  };
}

/** Returns the number of a building with its letter, and its kilometre. */
function numberText(query: Query, number: number): string {
  const { tokens, texts, labels, letters } = query;
  const { field, start, end, text: figures } = tokens[number]!;
  const next = tokens[number + 1];
  const hasLetter = next?.isGlued && letters & 2 << number &&
    next.field === field;
  const text = texts[field];
  const label = tokens[labels[number]!];
  if (label?.text === "km") {
    return `km ${KILOMETRES.exec(text.slice(start))![0]}`;
  }
  const written = text.slice(start, hasLetter ? next.end : end);
  // "duzentos e dois"
  return written.replace(/^\D+/, "") || figures;
}

/** Returns the text of some tokens, with what is written between them. */
function textOf({ tokens, texts }: Query, mask: number): string {
  const slices: string[] = [];
  let from = -1;
  tokens.forEach((token, i) => {
    if ((mask & 1 << i) === 0) return;
    if (from < 0) from = i;
    const next = tokens[i + 1];
    if (mask & 2 << i && next?.field === token.field) return;
    const slice = texts[token.field].slice(tokens[from]!.start, token.end);
    const isOpen = slice.includes("(") && !slice.includes(")");
    slices.push((isOpen ? `${slice})` : slice).replaceAll(/[\s;]+/g, " "));
    from = -1;
  });
  return slices.join(" ").trim();
}
