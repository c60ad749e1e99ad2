/** Columns of tables by what is special in them, and those with addresses. */
export const TABLES: Readonly<
  Record<string, [string[], Record<string, string>]>
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
  "no column of something else": [
    ["Endereço de e-mail", "Código da cidade", "Tipo de logradouro", "CEP"],
    { cep: "CEP" },
  ],
};
