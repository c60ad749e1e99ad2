import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Address, FIELDS } from "../../../../cep/address.ts";
import {
  rawRecord,
  unescaped,
} from "../../../../cep/http/compatible/raw_record.ts";
import { address } from "../../_records.ts";

const NAMES = Object.keys(FIELDS) as (keyof Address)[];

/** Texts that resemble the JSON between two values. */
const TEXT = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(
    fc.constantFrom('"', "\\", ",", ":", "{", "}", "logradouro", '","uf":"'),
  ).map((parts) => parts.join("")),
);

const RECORD = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, TEXT])),
) as unknown as fc.Arbitrary<Address>;

Deno.test("rawRecord returns the values of any record", () => {
  fc.assert(
    fc.property(RECORD, (values) => {
      const record = address(values);
      const raw = rawRecord(JSON.stringify(record));
      for (const name of NAMES) {
        assertEquals(JSON.parse(`"${raw[name]}"`), record[name]);
        assertEquals(unescaped(raw[name]), record[name]);
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
});
