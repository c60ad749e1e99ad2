import type { Address } from "@carteiro/cep";
import type { Random } from "../generate_dne/random.ts";
import * as blocks from "./changes/blocks.ts";
import * as buildings from "./changes/buildings.ts";
import * as names from "./changes/names.ts";
import * as places from "./changes/places.ts";
import type { Directory, Filter } from "./directory.ts";
import { type Change, type Draft, draftOf, isToldBy } from "./draft.ts";
import { type Draw, type Kind, streetsThat } from "./kinds.ts";
import { inventStreet } from "./noise/inventions.ts";
import { numberWithUnit } from "./noise/units.ts";
import type { AddressBody, WrittenAddress } from "./question.ts";
import { looseKey, nameOf } from "./text.ts";
import {
  withoutAccents,
  writeAddress,
  writeCityFirst,
  type Writer,
  writeUnitFirst,
  writeUnitWithoutComma,
} from "./write.ts";

function answersOf(draft: Draft, directory: Directory) {
  const isTold = isToldBy(draft, directory);
  return (cep: string | null) => {
    const found = cep === null ? undefined : directory.find(cep);
    return found !== undefined && isTold(found);
  };
}

/** Asks for a street with a change. */
function changed(
  change: Change,
  draw: Draw | undefined,
  write: (draft: Draft, random: Random) => AddressBody,
): Kind<WrittenAddress> {
  return {
    draw,
    ask(record, random, directory) {
      const draft = change(
        draftOf(record, random, directory),
        random,
        directory,
      );
      if (draft === undefined) return undefined;
      return {
        body: write(draft, random),
        hasNone: false,
        isAnswer: answersOf(draft, directory),
      };
    },
  };
}

/** Asks for a street with a change, as text. */
function text(
  change: Change,
  { draw, write = writeAddress, finish }: {
    readonly draw?: Draw;
    readonly write?: Writer;
    readonly finish?: (text: string, random: Random) => string;
  } = {},
): Kind<WrittenAddress> {
  return changed(change, draw, (draft, random) => {
    const written = write(draft, random);
    return { endereco: finish?.(written, random) ?? written };
  });
}

/** Asks for a street with a change, in parts. */
function parts(
  change: Change,
  { draw, toNumber = ({ number }) => number }: {
    readonly draw?: Draw;
    readonly toNumber?: (draft: Draft, random: Random) => string;
  } = {},
): Kind<WrittenAddress> {
  return changed(change, draw, (draft, random) =>
    withoutEmpty({
      logradouro: draft.street,
      numero: toNumber(draft, random),
      complemento: draft.unit,
      bairro: draft.neighbourhood,
      cidade: draft.city,
      uf: draft.uf,
      cep: draft.cep,
    }));
}

function withoutEmpty(body: Record<string, string>): AddressBody {
  return Object.fromEntries(Object.entries(body).filter(([, it]) => it !== ""));
}

const isNone = (cep: string | null) => cep === null;

/** Asks for a street that no record of the city has. */
function none(
  draft: Draft,
  random: Random,
): WrittenAddress {
  return {
    body: { endereco: writeAddress(draft, random) },
    hasNone: true,
    isAnswer: isNone,
  };
}

/** Invents a street in the city of a record. */
const invented: Kind<WrittenAddress>["ask"] = (record, random, directory) => {
  const { words } = directory.cityOf(record);
  const street = inventStreet(random);
  if (words.has(looseKey(street).split(" ").at(-1)!)) return undefined;
  const draft = draftOf(record, random, directory);
  const number = `${1 + random.int(900)}`;
  return none({ ...draft, street, number, unit: "" }, random);
};

/** Asks for a street of another city, which the city of a record lacks. */
const contradictory: Kind<WrittenAddress>["ask"] = (
  record,
  random,
  directory,
) => {
  const other = directory.drawStreet(random);
  const words = looseKey(nameOf(other)).split(" ").filter((it) =>
    it.length > 3
  );
  const taken = directory.cityOf(record).words;
  if (words.length === 0 || words.some((it) => taken.has(it))) return undefined;
  const { bairro, cidade, uf } = record;
  return none({
    ...draftOf(other, random, directory),
    neighbourhood: random.chance(50) ? bairro : "",
    city: cidade,
    uf,
  }, random);
};

const keep: Change = (draft) => draft;

const hasComplement: Filter = ({ complemento }) => complemento.includes("(");

const hasNamesake: Filter = ({ cidade }, directory) =>
  directory.statesOf(cidade).size > 1;

/** Kinds of addresses, by name. */
export const ADDRESS_KINDS: Readonly<Record<string, Kind<WrittenAddress>>> = {
  "clean": text(keep),
  "capitals": text(keep, {
    finish: (it, random) =>
      (random.chance(60) ? withoutAccents(it) : it).toUpperCase(),
  }),
  "no accents": text(keep, {
    finish: (it) => withoutAccents(it).toLowerCase(),
  }),
  "abbreviated": text(names.shorten),
  "abbreviated blocks": text(blocks.shortenBlock, {
    draw: streetsThat((it) => blocks.isBrasilia(it) || blocks.isPalmas(it)),
  }),
  "no type": text(names.dropType),
  "no neighbourhood": text(places.dropNeighbourhood),
  "wrong neighbourhood": text(places.changeNeighbourhood),
  "half of a neighbourhood": text(places.halveNeighbourhood),
  "city first": text(keep, { write: writeCityFirst }),
  "typo in the street": text(names.mistype(1)),
  "two typos in the street": text(names.mistype(2)),
  "typo in the city": text(places.mistypeCity),
  "typo in the CEP": text(buildings.addWrongCep),
  "with the CEP": text(buildings.addCep),
  "unit": text(buildings.addUnit),
  "unit without a comma": text(buildings.addUnit, {
    write: writeUnitWithoutComma,
  }),
  "unit before the number": text(buildings.addNumberedUnit, {
    write: writeUnitFirst,
  }),
  "quadra and lote": text(buildings.usePlot),
  "quadra and lote without a comma": text(buildings.usePlot, {
    write: writeUnitWithoutComma,
  }),
  "km": text(buildings.useKilometre, {
    draw: streetsThat((it) => it.tipo_logradouro === "Rodovia"),
  }),
  "s/n": text(buildings.useNoNumber),
  "no number": text(buildings.dropNumber),
  "numeral": text(names.renumber),
  "glued words": text(names.glue),
  "by ear": text(names.writeByEar),
  "other spelling of a person": text(names.respell),
  "missing title": text(names.dropTitle),
  "extra title": text(names.addTitle),
  "initials": text(names.useInitials),
  "with its complement": text(names.addComplement, {
    draw: streetsThat(hasComplement),
  }),
  "wrong state": text(places.changeState),
  "namesake city without a state": text(places.dropState, {
    draw: streetsThat(hasNamesake),
  }),
  "invented street": { ask: invented },
  "invented street, one-CEP town": {
    draw: ({ towns }, random) =>
      towns.length === 0 ? undefined : random.pick(towns),
    ask: invented,
  },
  "street of another city": { ask: contradictory },
  "parts": parts(keep),
  "parts, no neighbourhood": parts(places.dropNeighbourhood),
  "parts, wrong neighbourhood": parts(places.changeNeighbourhood),
  "parts, abbreviated": parts(names.shorten),
  "parts, typo in the street": parts(names.mistype(1)),
  "parts, with its complement": parts(buildings.useComplement, {
    draw: streetsThat(hasComplement),
  }),
  "parts, unit in the number": parts(
    (draft) => draft.number === "" ? undefined : draft,
    { toNumber: ({ number }, random) => numberWithUnit(number, random) },
  ),
};

/** Asks for the exact row of a street, in parts without number and CEP. */
export function askExactly(
  { logradouro, bairro, cidade, uf }: Address,
  directory: Directory,
): WrittenAddress {
  const body = withoutEmpty({ logradouro, bairro, cidade, uf });
  const isAnswer = (cep: string | null) => {
    const found = cep === null ? undefined : directory.find(cep);
    return found !== undefined && found.logradouro === logradouro &&
      found.bairro === bairro && found.cidade === cidade && found.uf === uf;
  };
  return { body, hasNone: false, isAnswer };
}
