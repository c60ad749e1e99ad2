import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  completeParts,
  type IsCity,
  parseAddress,
} from "../../../cep/matching/parse_address.ts";
import {
  type AddressParts,
  NO_PARTS,
  PARTS,
} from "../../../cep/matching/parts.ts";
import { fold } from "../../../cep/matching/words.ts";
import { CODE_UNIT } from "../_characters.ts";

const FIXED = { seed: 20260101, numRuns: 500 };

const CITIES = [
  "São Paulo/SP",
  "Rio de Janeiro/RJ",
  "Curitiba/PR",
  "Campinas/SP",
  "Brasília/DF",
  "Embu das Artes/SP",
  "Bela Vista/MS",
].map((city) => city.split("/") as [string, string]);

const isCity: IsCity = (name, uf) =>
  CITIES.some(([city, state]) =>
    fold(city) === fold(name) && (uf === "" || uf === state)
  );

const parts = (changes: Partial<AddressParts>): AddressParts => ({
  ...NO_PARTS,
  ...changes,
});

const PAULISTA = parts({
  logradouro: "Av. Paulista",
  numero: "1578",
  bairro: "Bela Vista",
  cidade: "São Paulo",
  uf: "SP",
});

const XV = parts({
  logradouro: "R. XV de Novembro",
  numero: "100",
  bairro: "Centro",
  cidade: "Curitiba",
  uf: "PR",
  cep: "80020310",
});

const ADDRESSES: readonly (readonly [text: string, parts: AddressParts])[] = [
  ["Av. Paulista 1578, Bela Vista, São Paulo/SP", PAULISTA],
  ["Av. Paulista, 1578 - Bela Vista - São Paulo - SP", PAULISTA],
  ["Av. Paulista, nº 1578, Bela Vista, São Paulo-SP", PAULISTA],
  ["Av. Paulista 1578 Bela Vista São Paulo SP", PAULISTA],
  ["Av. Paulista 1578\nBela Vista\nSão Paulo SP\nBrasil", PAULISTA],
  ["Av. Paulista, 1578 - Bela Vista, São Paulo (SP)", PAULISTA],
  ["Av. Paulista, 1578, Bela Vista, São Paulo, São Paulo", PAULISTA],
  ["1578 Av. Paulista, Bela Vista, São Paulo, SP", PAULISTA],
  ["São Paulo/SP, Av. Paulista, 1578, Bela Vista", PAULISTA],
  ["Av. Paulista,1578,Bela Vista,São Paulo,SP", PAULISTA],
  ["Praca da Se", parts({ logradouro: "Praca da Se" })],
  ["R. XV de Novembro, 100 - Centro - Curitiba - PR - 80020-310", XV],
  ["R. XV de Novembro,100,Centro,Curitiba,PR,80020310", XV],
  ["80020-310, R. XV de Novembro, 100, Centro, Curitiba/PR", XV],
  ["R. XV de Novembro, 100, Centro, Curitiba/PR, CEP: 80.020-310", XV],
  [
    "Endereço: R. XV de Novembro, Número: 100, Bairro: Centro, Cidade: " +
    "Curitiba, UF: PR, CEP: 80020310",
    XV,
  ],
  ["R. XV de Novembro, 100, Centro, Curitiba, Paraná, 80020-310", XV],
  [
    "Rua A, s/n, Centro, Campinas SP CEP 1310000",
    parts({
      logradouro: "Rua A",
      numero: "s/n",
      bairro: "Centro",
      cidade: "Campinas",
      uf: "SP",
      cep: "01310000",
    }),
  ],
  [
    "Rua 7 de Setembro, 100A, apto 12, Cambuí, Campinas, São Paulo, Brasil",
    parts({
      logradouro: "Rua 7 de Setembro",
      numero: "100A",
      complemento: "apto 12",
      bairro: "Cambuí",
      cidade: "Campinas",
      uf: "SP",
    }),
  ],
  [
    "Rua 24 de Maio 35 bloco B apto 12 Centro Campinas",
    parts({
      logradouro: "Rua 24 de Maio",
      numero: "35",
      complemento: "bloco B apto 12",
      bairro: "Centro",
      cidade: "Campinas",
    }),
  ],
  [
    "Rua Augusta, 1.500 - 12 andar - Edifício Copa - Casa Verde - São Paulo/SP",
    parts({
      logradouro: "Rua Augusta",
      numero: "1.500",
      complemento: "12 andar, Edifício Copa",
      bairro: "Casa Verde",
      cidade: "São Paulo",
      uf: "SP",
    }),
  ],
  [
    "Rod. BR-101, km 34,5, Distrito Industrial, Campinas/SP",
    parts({
      logradouro: "Rod. BR-101",
      numero: "km 34,5",
      bairro: "Distrito Industrial",
      cidade: "Campinas",
      uf: "SP",
    }),
  ],
  [
    "Rodovia BR 101 km 34+500 - Campinas - SP",
    parts({
      logradouro: "Rodovia BR 101",
      numero: "km 34+500",
      cidade: "Campinas",
      uf: "SP",
    }),
  ],
  [
    "R das Acácias 45 Jd das Rosas Embu das Artes SP",
    parts({
      logradouro: "R das Acácias",
      numero: "45",
      bairro: "Jd das Rosas",
      cidade: "Embu das Artes",
      uf: "SP",
    }),
  ],
  [
    "SQS 308 Bloco A Apto 101, Asa Sul, Brasília - DF",
    parts({
      logradouro: "SQS 308 Bloco A",
      complemento: "Apto 101",
      bairro: "Asa Sul",
      cidade: "Brasília",
      uf: "DF",
    }),
  ],
  [
    "2ª Travessa São João, 15, Centro, Campinas - SP",
    parts({
      logradouro: "2ª Travessa São João",
      numero: "15",
      bairro: "Centro",
      cidade: "Campinas",
      uf: "SP",
    }),
  ],
  [
    "Rua Projetada 03, 2299, Centro, Campinas",
    parts({
      logradouro: "Rua Projetada 03",
      numero: "2299",
      bairro: "Centro",
      cidade: "Campinas",
    }),
  ],
  [
    "SCEN Trecho 3 Lotes 1A e 1B, 100, Asa Norte, Brasília - DF",
    parts({
      logradouro: "SCEN Trecho 3 Lotes 1A e 1B",
      numero: "100",
      bairro: "Asa Norte",
      cidade: "Brasília",
      uf: "DF",
    }),
  ],
  [
    "Rua A, Quadra 5, Lote 3, Jardim Novo, Curitiba/PR",
    parts({
      logradouro: "Rua A",
      complemento: "Quadra 5, Lote 3",
      bairro: "Jardim Novo",
      cidade: "Curitiba",
      uf: "PR",
    }),
  ],
  [
    "Rua A, 12 (fundos), Centro, Curitba/PR",
    parts({
      logradouro: "Rua A",
      numero: "12",
      complemento: "fundos",
      bairro: "Centro",
      cidade: "Curitba",
      uf: "PR",
    }),
  ],
  ["Av. Paulista n 1578, Bela Vista, São Paulo/SP", PAULISTA],
  ["Rua N 25, 3", parts({ logradouro: "Rua N 25", numero: "3" })],
  ["01310-200, 1578", parts({ numero: "1578", cep: "01310200" })],
  ["CEP 01310200 nº 1578", parts({ numero: "1578", cep: "01310200" })],
  [
    "1578, apto 12, 01310-200",
    parts({ numero: "1578", complemento: "apto 12", cep: "01310200" }),
  ],
  ["Rua 15", parts({ logradouro: "Rua 15" })],
  ["Vila 29, 5", parts({ logradouro: "Vila 29", numero: "5" })],
  ["Campinas/SP", parts({ cidade: "Campinas", uf: "SP" })],
  ["São Paulo", parts({ cidade: "São Paulo" })],
  ["01310-100", parts({ cep: "01310100" })],
  ["", NO_PARTS],
  [" ,;-/() ", NO_PARTS],
];

for (const [text, expected] of ADDRESSES) {
  Deno.test(`parseAddress reads ${JSON.stringify(text)}`, () => {
    assertEquals(parseAddress(text, { isCity }), expected);
  });
}

Deno.test("parseAddress without names of cities goes by positions", () => {
  assertEquals(
    parseAddress("Rua A, 5, Vila Nova, Nova Vila - SP"),
    parts({
      logradouro: "Rua A",
      numero: "5",
      bairro: "Vila Nova",
      cidade: "Nova Vila",
      uf: "SP",
    }),
  );
});

Deno.test("parseAddress keeps known parts", () => {
  const known = { cidade: "Campinas/SP", cep: "13010-000", bairro: "" };
  assertEquals(
    parseAddress("Rua A, 5, Centro, Campinas - PR", {
      known,
      isCity,
    }),
    parts({
      logradouro: "Rua A",
      numero: "5",
      bairro: "Centro",
      cidade: "Campinas",
      uf: "SP",
      cep: "13010000",
    }),
  );
});

Deno.test("completeParts splits a street with its number, and a city with its state", () => {
  assertEquals(
    completeParts({
      logradouro: "Rua A, 5, apto 3",
      cidade: "Campinas - SP",
      cep: "1310100",
    }),
    parts({
      logradouro: "Rua A",
      numero: "5",
      complemento: "apto 3",
      cidade: "Campinas",
      uf: "SP",
      cep: "01310100",
    }),
  );
});

Deno.test("completeParts keeps a state and a CEP that are invalid", () => {
  const given = { uf: "XX", cep: "123", numero: "s/n" };
  assertEquals(completeParts(given), parts(given));
});

Deno.test("completeParts knows the names of states", () => {
  assertEquals(completeParts({ uf: "são paulo" }), parts({ uf: "SP" }));
});

const PIECES = "Rua |Av. |XV de Novembro|7 de Setembro|, | - |/|\n|(|)|;|" +
  "100|nº 5|s/n|km 3,5|apto 1|bloco B|Centro|São Paulo|SP|PR|Paraná|Brasil|" +
  "01310-100|CEP |Bairro: |UF: |.|'|\u0000|🏠";

Deno.test("parseAddress reads any text, and invents no letters", () => {
  const text = fc.oneof(
    fc.string({ unit: CODE_UNIT, maxLength: 100 }),
    fc.array(fc.constantFrom(...PIECES.split("|")), { maxLength: 20 })
      .map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(text, (text) => {
      const parts = parseAddress(text, { isCity });
      const given = fold(text);
      for (const part of PARTS) {
        if (part === "uf" || part === "cep") continue;
        for (const word of fold(parts[part]).split(" ")) {
          assert(given.includes(word), `${part}: ${word}`);
        }
      }
    }),
    FIXED,
  );
});
