/** Files with random damage are read right or refused, nothing else. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { CensusError } from "../../../../cep/import/errors.ts";
import type { CensusData } from "../../../../cep/import/cnefe/read_census.ts";
import { latin1 } from "../../_directory.ts";
import { zip } from "../../_zip.ts";
import { csv, readAll } from "./_census.ts";
import { countSlowly, type SlowCounts } from "./_slow_counts.ts";

const CONTENT = latin1(csv(Array.from({ length: 20 }, (_, i) => ({
  COD_UNICO_ENDERECO: `${1 + i % 17}`,
  CEP: `1299001${i % 5}`,
  COD_MUNICIPIO: i % 3 ? "3599909" : "3599917",
  NUM_ENDERECO: `${i * 7}`,
}))));

/** Damage: a part of the bytes replaced by others. */
const DAMAGE = fc.array(
  fc.record({
    at: fc.nat(),
    removed: fc.oneof(fc.nat(3), fc.nat()),
    added: fc.uint8Array({ maxLength: 4 }),
  }),
  { maxLength: 4 },
);

type Damage = { at: number; removed: number; added: Uint8Array };

function mangle(bytes: Uint8Array, damages: readonly Damage[]): Uint8Array {
  let mangled = [...bytes];
  for (const { at, removed, added } of damages) {
    const start = at % (mangled.length + 1);
    const end = start + removed % (mangled.length - start + 1);
    mangled = [...mangled.slice(0, start), ...added, ...mangled.slice(end)];
  }
  return Uint8Array.from(mangled);
}

function countsOf(data: CensusData): SlowCounts {
  const [{ rows, addresses, repeated, rejected }] = data.report.files as [
    CensusData["report"]["files"][number],
  ];
  const groups = [...data.rows()].flat()
    .map((row) => [row.cep, row.ibge, row.addresses] as const);
  return { rows, addresses, repeated, rejected, groups };
}

/** Reads a file, `undefined` if it is refused. */
async function read(
  file: string,
  content: Uint8Array,
): Promise<CensusData | undefined> {
  try {
    return await readAll({ [file]: content });
  } catch (error) {
    assert(error instanceof CensusError, String(error));
    return undefined;
  }
}

Deno.test("readCensus counts a CSV file with random damage as a slow reading does", async () => {
  await fc.assert(fc.asyncProperty(DAMAGE, async (damages) => {
    const content = mangle(CONTENT, damages);
    const data = await read("35_SP.csv", content);
    assertEquals(data && countsOf(data), countSlowly(content));
  }));
});

const MEMBER = { name: "35_SP.csv", content: CONTENT };

function flip(content: Uint8Array, bit: number): Uint8Array {
  return content.map((byte, i) => i === bit >> 3 ? byte ^ 1 << bit % 8 : byte);
}

for (
  const [name, content] of [
    ["a zip file", zip([MEMBER])],
    ["a zip file that is not compressed", zip([{ ...MEMBER, stored: true }])],
    ["a zip file with sizes of 64 bits", zip([MEMBER], { zip64: true })],
  ] as const
) {
  Deno.test(`readCensus refuses ${name} with random damage or reads all of it`, async () => {
    const whole = [...(await readAll({ "35_SP.zip": content })).rows()];
    const damaged = fc.oneof(
      DAMAGE.map((damages) => mangle(content, damages)),
      fc.nat(8 * content.length - 1).map((bit) => flip(content, bit)),
    );
    await fc.assert(fc.asyncProperty(damaged, async (zip) => {
      const data = await read("35_SP.zip", zip);
      if (data !== undefined) assertEquals([...data.rows()], whole);
    }));
  });
}
