/** Building with its own CEP, in the first street of a neighbourhood. */
export interface ShapeBuilding {
  readonly uf: string;
  readonly neighbourhood: string;
  readonly kind: "user" | "unit" | "mailbox";
  readonly name: string;
  /** Number, and what follows it. */
  readonly number: string;
}

/** Buildings. */
export const SHAPE_BUILDINGS: readonly ShapeBuilding[] = [
  {
    uf: "SC",
    neighbourhood: "Saco dos Limões",
    kind: "user",
    name: "Hospital Universitário São Brás",
    number: "340",
  },
  {
    uf: "SC",
    neighbourhood: "Rio Vermelho",
    kind: "user",
    name: "Universidade do Farol",
    number: "2081",
  },
  {
    uf: "DF",
    neighbourhood: "Asa Sul",
    kind: "user",
    name: "Banco do Brasil",
    number: "Lote 32",
  },
  {
    uf: "GO",
    neighbourhood: "Setor Bueno",
    kind: "user",
    name: "Edifício Banco do Brasil",
    number: "1200",
  },
  {
    uf: "SC",
    neighbourhood: "Saco dos Limões",
    kind: "unit",
    name: "AC Central de Florianópolis",
    number: "12",
  },
  {
    uf: "MG",
    neighbourhood: "Santo Antônio (Barreiro)",
    kind: "unit",
    name: "CDD Barreiro",
    number: "s/n",
  },
  {
    uf: "CE",
    neighbourhood: "Jangurussu (Messejana)",
    kind: "mailbox",
    name: "Associação de Moradores Esplanada do Farol",
    number: "46",
  },
];
