import type { Change } from "../draft.ts";
import { wrongCode } from "../noise/codes.ts";
import { numberedUnit, plot, unit } from "../noise/units.ts";

/** Adds a unit of a building with a number. */
export const addUnit: Change = (draft, random) =>
  draft.number === "" ? undefined : { ...draft, unit: unit(random) };

/** Adds a unit with a number of its own to a building with a number. */
export const addNumberedUnit: Change = (draft, random) =>
  draft.number === "" ? undefined : { ...draft, unit: numberedUnit(random) };

/** Writes the plot in place of a number. */
export const usePlot: Change = (draft, random) =>
  draft.number === "" ? undefined : {
    ...draft,
    number: "",
    unit: plot(random),
    told: { ...draft.told, number: undefined },
  };

/** Leaves the building number and the unit out. */
export const dropNumber: Change = (draft) => ({
  ...draft,
  number: "",
  unit: "",
  told: { ...draft.told, number: undefined },
});

/** Writes `s/n` in place of a number. */
export const useNoNumber: Change = (draft, random, directory) => {
  // Such a street has stretches because its buildings have numbers.
  const hasStretch = directory.stretchOf(draft.record) !== undefined;
  if (hasStretch || draft.number === "") return undefined;
  const number = random.pick(["s/n", "S/N", "sn", "s/nº"]);
  return { ...draft, number, told: { ...draft.told, number: undefined } };
};

/** Writes a kilometre of a highway in place of a number. */
export const useKilometre: Change = (draft, random) => {
  const { complemento, logradouro } = draft.record;
  // "Rodovia BR-319 Km 12" has its kilometre.
  if (/\bkm\b/i.test(logradouro)) return undefined;
  const hasStretch = /\bkm\b/i.test(complemento);
  const [, from = "1", to] =
    /do km (\d+),\d+ ao (?:km (\d+)|fim)/.exec(complemento) ?? [];
  const first = Number(from) + 1;
  const last = to === undefined ? first + 30 : Number(to) - 1;
  if (last < first || hasStretch && !complemento.includes("do km")) {
    return undefined;
  }
  const kilometre = first + random.int(last - first + 1);
  return {
    ...draft,
    number: "",
    unit: random.pick(["km ", "KM ", "Km "]) + kilometre,
    told: { ...draft.told, number: undefined, complement: hasStretch },
  };
};

/** Writes the complement of the directory as the unit: `Lot Santana`. */
export const useComplement: Change = (draft, random) => {
  const [written, inside] = /\(([^()]+)\)/.exec(draft.record.complemento) ?? [];
  return written === undefined ? undefined : {
    ...draft,
    unit: random.pick([written, inside!]),
    told: { ...draft.told, complement: true },
  };
};

/** Adds the CEP. */
export const addCep: Change = (draft) => ({
  ...draft,
  cep: draft.record.cep,
  told: { ...draft.told, cep: true },
});

/** Adds the CEP with a mistake. */
export const addWrongCep: Change = (draft, random) => ({
  ...draft,
  cep: wrongCode(draft.record.cep, random),
});
