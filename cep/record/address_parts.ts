/** Name of a part. */
export type Part =
  | "logradouro"
  | "numero"
  | "complemento"
  | "bairro"
  | "cidade"
  | "uf"
  | "cep";

/** Names of the parts, in the order of a written address. */
export const PARTS: readonly Part[] = [
  "logradouro",
  "numero",
  "complemento",
  "bairro",
  "cidade",
  "uf",
  "cep",
];

/** Address in parts, `""` where a part is missing. */
export type AddressParts = Readonly<Record<Part, string>>;

/** Parts that are all missing. */
export const NO_PARTS: AddressParts = {
  logradouro: "",
  numero: "",
  complemento: "",
  bairro: "",
  cidade: "",
  uf: "",
  cep: "",
};
