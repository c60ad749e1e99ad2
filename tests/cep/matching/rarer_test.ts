/** Records that only a census has beside others of the same street. */
import { assertEquals } from "@std/assert";
import type { Address } from "../../../cep/address.ts";
import { compare, toSubject } from "../../../cep/matching/comparison.ts";
import type { AddressParts } from "../../../cep/matching/parts.ts";
import { givesWay } from "../../../cep/matching/rarer.ts";
import { address } from "../_records.ts";

const PARTS: AddressParts = {
  logradouro: "Rua das Flores",
  numero: "20",
  complemento: "",
  bairro: "Centro",
  cidade: "Vila Grande",
  uf: "SP",
  cep: "",
};

const DNE: Partial<Address> = { complemento: "", enderecos: "100" };

/** Record of a mistyped CEP. */
const MISTAKE: Partial<Address> = {
  cep: "01900009",
  complemento: "",
  tipo_origem: "cnefe",
  bairro: "",
  enderecos: "1",
};

const CASES: readonly (readonly [
  name: string,
  expected: boolean,
  one: Partial<Address>,
  other: Partial<Address>,
  parts?: Partial<AddressParts>,
])[] = [
  ["one of the DNE", true, {}, {}],
  ["one of the DNE without addresses", true, {}, { enderecos: "" }],
  ["one of the DNE on the stretch", true, {}, { complemento: "até 50" }],
  ["one of the DNE on another stretch", true, {}, {
    complemento: "de 51 ao fim",
  }],
  [
    "one of the DNE on another stretch, with a few more addresses",
    false,
    { enderecos: "20" },
    { complemento: "de 51 ao fim" },
  ],
  ["one of the DNE in another town", false, {}, { cidade: "Rio Novo" }],
  ["another street of the DNE", false, {}, { logradouro: "Rua das Rosas" }],
  ["one of the DNE in another neighbourhood", true, {}, { bairro: "Leste" }],
  [
    "one of the DNE in another neighbourhood, with as many addresses",
    false,
    { enderecos: "90" },
    { bairro: "Leste" },
  ],
  [
    "one of the DNE outside of its neighbourhood",
    false,
    { bairro: "Centro" },
    { bairro: "Leste" },
  ],
  ["a large user in its street", false, {}, { tipo_origem: "grande_usuario" }],
  ["the general CEP of its town", false, {}, {
    tipo_origem: "localidade",
    logradouro: "",
  }],
  ["one of the DNE, if the address has its CEP", false, {}, {}, {
    cep: "01900009",
  }],
  ["one with many more addresses", true, {}, { tipo_origem: "cnefe" }],
  ["one with a few more addresses", false, { enderecos: "40" }, {
    tipo_origem: "cnefe",
  }],
];

for (const [name, expected, one, other, parts] of CASES) {
  const verb = expected ? "gives" : "does not give";
  Deno.test(`a record of the census ${verb} way to ${name}`, () => {
    const subject = toSubject({ ...PARTS, ...parts });
    const compared = [{ ...MISTAKE, ...one }, { ...DNE, ...other }]
      .map((record) =>
        compare(subject, { record: address(record), seen: undefined })
      );
    assertEquals(givesWay(compared[0]!, compared[1]!), expected);
    assertEquals(givesWay(compared[1]!, compared[0]!), false);
    assertEquals(givesWay(compared[0]!, compared[0]!), false);
  });
}
