import type { Address } from "@carteiro/cep";
import type { Random } from "../generate_dne/random.ts";
import { cityKey, isStreet } from "./directory.ts";
import { isNeighbourhood } from "./draft.ts";
import type { Draw, Kind } from "./kinds.ts";
import { slipCode } from "./noise/codes.ts";
import type { Search } from "./question.ts";
import { fold, keyOf } from "./text.ts";

function from(pool: "largeUsers" | "towns" | "districts" | "streets"): Draw {
  return (directory, random) =>
    directory[pool].length === 0 ? undefined : random.pick(directory[pool]);
}

function small(text: string, random: Random): string {
  return random.chance(60) ? text.toLowerCase() : text;
}

function cityOf({ cidade, uf }: Address, random: Random): string {
  return random.pick([cidade, cidade, `${cidade} ${uf}`, `${cidade}/${uf}`]);
}

/** True for the record of a town, not for those of its districts. */
function isTown(found: Address, { cidade, uf }: Address): boolean {
  return found.tipo_origem === "localidade" && found.distrito === "" &&
    fold(found.cidade) === fold(cidade) && found.uf === uf;
}

const askForUser: Kind<Search>["ask"] = (record, random) => {
  const { nome } = record;
  if (nome === "") return undefined;
  const isAnswer = (found: Address) =>
    keyOf(found.nome) === keyOf(nome) && cityKey(found) === cityKey(record);
  const q = small(`${nome} ${cityOf(record, random)}`, random);
  return { query: { q }, isAnswer };
};

const askForTown: Kind<Search>["ask"] = (record, random) => {
  const { cidade, uf } = record;
  const hasState = random.chance(60);
  const q = hasState
    ? `${cidade}${random.pick([" ", "/", " - "])}${uf}`
    : random.pick([cidade, `cep de ${cidade}`, `cidade de ${cidade}`]);
  const isAnswer = (found: Address) =>
    isTown(found, hasState ? record : { ...record, uf: found.uf });
  return { query: { q: small(q, random) }, isAnswer };
};

const askForDistrict: Kind<Search>["ask"] = (record, random) => {
  const { logradouro, distrito, cidade, uf } = record;
  if (!isStreet(record) && record.tipo_origem !== "localidade") {
    return undefined;
  }
  const place = random.pick([`${distrito}, ${cidade}`, `${distrito} ${uf}`]);
  const q = logradouro === "" ? place : `${logradouro}, ${place}`;
  const isAnswer = (found: Address) =>
    fold(found.distrito) === fold(distrito) && found.uf === uf &&
    (logradouro === "" || found.logradouro === logradouro);
  return { query: { q: small(q, random) }, isAnswer };
};

const askForNeighbourhood: Kind<Search>["ask"] = (
  record,
  random,
  directory,
) => {
  const { bairro, cidade } = record;
  if (bairro === "" || cidade === "") return undefined;
  // Without the word, it may be a street of that name, or half a name.
  const isOther = directory.hasStreet(record, bairro) || !bairro.includes(" ");
  const word = isOther || random.chance(60) ? "bairro " : "";
  const q = `${word}${bairro} ${cityOf(record, random)}`;
  const isAnswer = (found: Address) =>
    isNeighbourhood(found.bairro, bairro) &&
    fold(found.cidade) === fold(cidade);
  return { query: { q: small(q, random) }, isAnswer };
};

const askForCode: Kind<Search>["ask"] = ({ cep }, random) => ({
  query: { q: slipCode(cep, random) },
  isAnswer: (found) => found.cep === cep,
});

/** Kinds of searches for places, large users and CEPs, by name. */
export const PLACE_KINDS: Readonly<Record<string, Kind<Search>>> = {
  "large user": { draw: from("largeUsers"), ask: askForUser },
  "town": { draw: from("towns"), ask: askForTown },
  "district": { draw: from("districts"), ask: askForDistrict },
  "neighbourhood": { draw: from("streets"), ask: askForNeighbourhood },
  "CEP with slips": { ask: askForCode },
};
