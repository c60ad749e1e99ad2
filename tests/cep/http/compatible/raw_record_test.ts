import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Address } from "../../../../cep/record/address.ts";
import {
  CENSUS_FIELDS,
  type FieldName,
  FIELDS,
  OWN_FIELDS,
} from "../../../../cep/record/fields.ts";
import {
  rawRecord,
  unescaped,
} from "../../../../cep/http/compatible/raw_record.ts";
import { address } from "../../_records.ts";
import { CODE_POINT } from "../../_characters.ts";

/** Texts that resemble the JSON between two values. */
const TEXT = fc.oneof(
  fc.string({ unit: CODE_POINT }),
  fc.array(
    fc.constantFrom('"', "\\", ",", ":", "{", "}", "logradouro", '","uf":"'),
  ).map((parts) => parts.join("")),
);

const NUMBER = fc.integer({ min: -9_000_000, max: 9_000_000 })
  .map((units) => units / 100_000);

/** Records with or without some of the fields of the CNEFE. */
const RECORD = fc.tuple(
  fc.record(Object.fromEntries(OWN_FIELDS.map((name) => [name, TEXT]))),
  fc.record(
    Object.fromEntries(CENSUS_FIELDS.map((name) => [name, NUMBER])),
    { requiredKeys: [] },
  ),
).map(([texts, numbers]) => ({ ...texts, ...numbers }) as unknown as Address);

Deno.test("rawRecord returns the values of any record", () => {
  fc.assert(
    fc.property(RECORD, (values) => {
      const record = address(values);
      const raw = rawRecord(JSON.stringify(record));
      for (const name of Object.keys(FIELDS) as FieldName[]) {
        const text = `${record[name] ?? ""}`;
        assertEquals(JSON.parse(`"${raw[name]}"`), text);
        assertEquals(unescaped(raw[name]), text);
      }
    }),
    { seed: 12, numRuns: 500 },
  );
});

Deno.test("rawRecord reads JSON in another format", () => {
  const record = address({ logradouro: 'Rua "A"' });
  const raw = rawRecord(JSON.stringify(record, null, 2));
  assertEquals(raw.logradouro, 'Rua \\"A\\"');
  assertEquals(raw.nome_origem, record.nome_origem);
  for (const name of CENSUS_FIELDS) assertEquals(raw[name], "");
});
