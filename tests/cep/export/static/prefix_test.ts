/** Files of prefixes, and sets of prefixes. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Address, FIELDS } from "../../../../cep/record/address.ts";
import { CENSUS_FIELDS, OWN_FIELDS } from "../../../../cep/record/fields.ts";
import {
  findInPrefixFile,
  formatPrefixFile,
} from "../../../../cep/export/static/prefixes.ts";
import { PrefixSet } from "../../../../cep/export/static/prefixes.ts";
import { address, addresses } from "../../_records.ts";
import { CODE_POINT } from "../../_characters.ts";

Deno.test("formatPrefixFile writes the most frequent values once", () => {
  const text = formatPrefixFile([
    address({ cep: "01310100", bairro: "Sé" }),
    address({ cep: "01310200", logradouro: 'Rua "B"' }),
    address({ cep: "01310999" }),
  ]);
  const { cep: _, ...padrao } = address();
  assertEquals(
    text,
    `{"padrao":${JSON.stringify(padrao)},"ceps":{
"100":{"bairro":"Sé"},
"200":{"logradouro":"Rua \\"B\\""},
"999":{}}}
`,
  );
});

Deno.test("formatPrefixFile of a thousand similar records takes little more than their names", () => {
  const text = formatPrefixFile(addresses(1_310_000, 1000));
  assert(text.length < 50_000, `${text.length} characters`);
});

const texts = fc.oneof(
  fc.constantFrom("", "Centro", "São Paulo", "__proto__", '"', "\u2028"),
  fc.string({ unit: CODE_POINT }),
);

const COUNTED = Object.fromEntries(CENSUS_FIELDS.map((name) => [name, 7]));

const records: fc.Arbitrary<Address[]> = fc.uniqueArray(
  fc.record({
    suffix: fc.integer({ min: 0, max: 999 }),
    values: fc.array(texts, {
      minLength: OWN_FIELDS.length,
      maxLength: OWN_FIELDS.length,
    }),
    numbers: fc.constantFrom({}, { enderecos: 7 }, COUNTED),
  }),
  { selector: ({ suffix }) => suffix, minLength: 1 },
).map((items) =>
  items.toSorted((a, b) => a.suffix - b.suffix).map((
    { suffix, values, numbers },
  ) => ({
    ...Object.fromEntries(
      OWN_FIELDS.map((name, i) => [name, values[i]!]),
    ),
    ...numbers,
    cep: `01310${`${suffix}`.padStart(3, "0")}`,
  } as Address))
);

Deno.test("findInPrefixFile returns every record that formatPrefixFile wrote", () => {
  fc.assert(
    fc.property(records, (records) => {
      const file = JSON.parse(formatPrefixFile(records));
      const known = new Map(records.map((record) => [record.cep, record]));
      for (let i = 0; i < 1000; i++) {
        const cep = `01310${`${i}`.padStart(3, "0")}`;
        assertEquals(findInPrefixFile(file, cep), known.get(cep));
      }
    }),
    { numRuns: 20 },
  );
});

for (const counted of [false, true]) {
  Deno.test(`findInPrefixFile keeps the order of the fields ${counted ? "with" : "without"} the CNEFE`, () => {
    const record = address({ cep: "01310100", ...(counted && COUNTED) });
    const file = JSON.parse(formatPrefixFile([record]));
    assertEquals(
      Object.keys(findInPrefixFile(file, "01310100")!),
      counted ? Object.keys(FIELDS) : OWN_FIELDS,
    );
  });
}

Deno.test("PrefixSet writes the lowest bit of a byte for its first prefix", () => {
  const text = `${PrefixSet.of(["00000", "00009"])}`;
  assertEquals([...atob(text).slice(0, 3)].map((it) => it.charCodeAt(0)), [
    1,
    2,
    0,
  ]);
  assertEquals(atob(text).length, 12_500);
});

for (const text of ["", "AAAA", "****", "ção", "A".repeat(16_668) + "A"]) {
  Deno.test(`PrefixSet.parse refuses "${text.slice(0, 8)}", ${text.length} characters`, () => {
    assertEquals(PrefixSet.parse(text), undefined);
  });
}
