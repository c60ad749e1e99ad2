/** Columns of tables by what is special in them, and those with addresses. */
export const TABLES: Readonly<
  Record<string, [string[], Record<string, string | string[]>]>
> = {
  "names with accents, and short ones": [
    ["id", "Endereço", "Nº", "BAIRRO", "Município", "Estado"],
    {
      endereco: "Endereço",
      numero: "Nº",
      bairro: "BAIRRO",
      cidade: "Município",
      uf: "Estado",
    },
  ],
  "abbreviations": [
    ["Cód.", "Logr.", "Nº", "Compl.", "Cid.", "Est.", "C.E.P."],
    {
      logradouro: "Logr.",
      numero: "Nº",
      complemento: "Compl.",
      cidade: "Cid.",
      uf: "Est.",
      cep: "C.E.P.",
    },
  ],
  "a name with the words of two parts, once": [
    ["Endereço (rua/av)", "Bairro", "C.E.P."],
    { endereco: "Endereço (rua/av)", bairro: "Bairro", cep: "C.E.P." },
  ],
  "English names": [
    ["Address", "Unit", "City", "State", "Zip Code"],
    {
      endereco: "Address",
      complemento: "Unit",
      cidade: "City",
      uf: "State",
      cep: "Zip Code",
    },
  ],
  "the likelier one of two names": [
    ["Estado", "Localidade", "UF", "Cidade"],
    { uf: "UF", cidade: "Cidade" },
  ],
  "a word among others": [
    ["Rua/Av", "Bairro de entrega", "Cidade/Município", "CEP (entrega)"],
    {
      logradouro: "Rua/Av",
      bairro: "Bairro de entrega",
      cidade: "Cidade/Município",
      cep: "CEP (entrega)",
    },
  ],
  "a street in two columns": [
    ["Tipo de Logradouro", "Nome do logradouro", "Município", "CEP", "Cep"],
    {
      logradouro: ["Tipo de Logradouro", "Nome do logradouro"],
      cidade: "Município",
      cep: "CEP",
    },
  ],
  "a type beside an address": [
    ["ENDERECO", "TIPO_LOGRADOURO", "UF"],
    { endereco: ["TIPO_LOGRADOURO", "ENDERECO"], uf: "UF" },
  ],
  "no column of something else": [
    ["Endereço de e-mail", "Código da cidade", "Tipo de logradouro", "CEP"],
    { cep: "CEP" },
  ],
};
