import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { Buffer } from "node:buffer";
import { type FieldName, FIELDS } from "../../../cep/record/address.ts";
import {
  readSnapshot,
  Snapshot,
  SnapshotError,
} from "../../../cep/release/snapshot.ts";
import type { SnapshotHeader } from "../../../cep/release/snapshot_layout.ts";
import {
  type SnapshotRecord,
  SnapshotWriter,
} from "../../../cep/release/snapshot_writer.ts";
import { CENSUS_FIELDS, OWN_FIELDS } from "../../../cep/record/fields.ts";
import { CODE_UNIT, LATIN1 } from "../_characters.ts";

const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** Texts of a record, as the writer takes them. */
interface Texts extends Readonly<Partial<Record<FieldName, string>>> {
  readonly cep: string;
}

/** Returns a record with only these fields. */
function address(cep: string, fields: Partial<Texts> = {}): Texts {
  return { ...EMPTY, cep, ...fields };
}

const EMPTY = Object.fromEntries(OWN_FIELDS.map((name) => [name, ""]));

/** Returns the JSON of a record, as JSON.stringify writes its texts. */
function jsonOf(record: Texts): string {
  const texts = OWN_FIELDS.map((name) =>
    `"${name}":${JSON.stringify(record[name])}`
  );
  const numbers = CENSUS_FIELDS.filter((name) => record[name])
    .map((name) => `"${name}":${record[name]}`);
  return `{${[...texts, ...numbers].join(",")}}`;
}

/** Fields of a CEP in which the CNEFE counted nothing. */
const COUNTED = { latitude: "", longitude: "", raio_m: "", enderecos: "" };

let lastKey = 0;

/** Returns a record as the writer takes it, with keys of its own. */
function recordOf(address: Texts): SnapshotRecord {
  const key = ++lastKey;
  return {
    cep: address.cep,
    keys: { neighbourhood: key, locality: key, kind: key },
    value: (field) => address[field],
  };
}

/** Stored snapshot. */
interface Stored {
  readonly header: SnapshotHeader;
  readonly parts: readonly Uint8Array[];
}

async function write(addresses: Iterable<Texts>): Promise<Stored> {
  const writer = new SnapshotWriter();
  const parts: Uint8Array[] = [];
  // A part is valid until the next one is complete.
  const keep = (part: Uint8Array) => parts.push(new Uint8Array(part));
  for (const it of addresses) {
    const part = writer.add(recordOf(it));
    if (part) keep(part);
  }
  const rest = writer.finish();
  while (true) {
    const { value, done } = await rest.next();
    if (done) return { header: value, parts };
    keep(value);
  }
}

/** Reads a stored snapshot and the JSON of its header. */
async function read({ header, parts }: Stored): Promise<Snapshot> {
  return new Snapshot(
    await readSnapshot(JSON.parse(JSON.stringify(header)), stream(parts)),
  );
}

async function* stream(parts: readonly Uint8Array[]) {
  // They are freed.
  yield* parts.map((part) => part.slice());
}

async function roundTrip(addresses: Iterable<Texts>): Promise<Snapshot> {
  return await read(await write(addresses));
}

const CEP = fc.integer({ min: 0, max: 99_999_999 }).map((code) =>
  String(code).padStart(8, "0")
);

const LATIN1_TEXT = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."\"\\'\n\r\t\b\f\x00\x1F\x7F\x80\x9F\xFF/<,:"),
    LATIN1,
  ),
});

/** Texts of the fields that are numbers. */
const NUMBERS: Partial<Record<FieldName, fc.Arbitrary<string>>> = {
  latitude: degrees(90),
  longitude: degrees(180),
  raio_m: count(20_000),
  enderecos: count(2 ** 32 - 1),
};

function degrees(max: number): fc.Arbitrary<string> {
  const units = fc.integer({ min: -max * 100_000, max: max * 100_000 });
  return orEmpty(units.map((units) => (units / 100_000).toFixed(5)));
}

function count(max: number): fc.Arbitrary<string> {
  return orEmpty(fc.nat({ max }).map(String));
}

function orEmpty(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: 3, arbitrary: texts }, fc.constant(""));
}

/** Records of distinct CEPs, with or without a CNEFE, some with shared texts. */
function records(text: fc.Arbitrary<string>): fc.Arbitrary<Texts[]> {
  return fc.boolean().chain((counted) => {
    const some = fc.oneof(text, fc.constantFrom("", "Centro", "SP"));
    const record = fc.record(
      Object.fromEntries(
        (counted ? FIELD_NAMES : OWN_FIELDS).map((name) => [
          name,
          name === "cep" ? CEP : NUMBERS[name] ?? some,
        ]),
      ) as Record<FieldName, fc.Arbitrary<string>>,
    ) as fc.Arbitrary<Texts>;
    return fc.uniqueArray(record, {
      selector: ({ cep }) => cep,
      maxLength: 40,
    });
  });
}

Deno.test("Snapshot.find returns the JSON of any ISO-8859-1 record", async () => {
  await fc.assert(
    fc.asyncProperty(records(LATIN1_TEXT), async (all) => {
      const snapshot = await roundTrip(all);
      for (const it of all) {
        assertEquals(snapshot.find(it.cep), jsonOf(it));
      }
    }),
    { numRuns: 50 },
  );
});

Deno.test("Snapshot.find returns characters beyond ISO-8859-1 as escapes", async () => {
  const anyText = fc.string({ unit: CODE_UNIT });
  await fc.assert(
    fc.asyncProperty(records(anyText), async (all) => {
      const snapshot = await roundTrip(all);
      for (const it of all) {
        const json = snapshot.find(it.cep)!;
        assertEquals(JSON.parse(json), JSON.parse(jsonOf(it)));
        assertEquals(/^[\0-\xFF]*$/.test(json), true);
      }
    }),
    { numRuns: 40 },
  );
});

Deno.test("Snapshot.find keeps lone surrogates", async () => {
  const it = address("01310100", { logradouro: "a\uD83D", bairro: "\uDC00b" });
  const snapshot = await roundTrip([it]);
  assertEquals(JSON.parse(snapshot.find("01310100")!), it);
});

Deno.test("Snapshot.find finds only the CEPs that were added", async () => {
  const codes = ["00000000", "00001000", "01310100", "01310102", "99999999"];
  const snapshot = await roundTrip(
    codes.toReversed().map((cep) => address(cep)),
  );
  for (const cep of codes) {
    assertEquals(snapshot.find(cep), jsonOf(address(cep)));
  }
  const unknown = ["00000001", "00000999", "01310101", "01310103", "99999998"];
  for (const cep of unknown) assertEquals(snapshot.find(cep), undefined, cep);
});

Deno.test("Snapshot.find finds nothing in an empty snapshot", async () => {
  const stored = await write([]);
  assertEquals(stored.header.records, 0);
  const snapshot = await read(stored);
  for (const cep of ["00000000", "01310100", "99999999"]) {
    assertEquals(snapshot.find(cep), undefined);
  }
});

Deno.test("SnapshotWriter accepts long texts and never splits a record", async () => {
  const text = 'é"\\'.repeat(50_000);
  const all = Array.from({ length: 9 }, (_, i) =>
    address(`0131010${i}`, {
      logradouro: text + i,
      complemento: text,
      nome: "x",
      bairro: text,
    }));
  const stored = await write(all);
  assert(stored.header.recordParts > 2);
  const snapshot = await read(stored);
  for (const it of all) {
    assert(snapshot.find(it.cep) === jsonOf(it), it.cep);
  }
});

Deno.test("SnapshotWriter refuses a record longer than a part", () => {
  const writer = new SnapshotWriter();
  assertThrows(
    () =>
      writer.add(recordOf(address("01310100", { nome: "x".repeat(1 << 20) }))),
    RangeError,
    "Cannot add 01310100: its texts are too long",
  );
});

const OTHER_FIELDS: readonly [
  name: string,
  first: Partial<Texts>,
  second: Partial<Texts>,
][] = [
  ["with fields of the CNEFE after one without", {}, COUNTED],
  ["without fields of the CNEFE after one with them", COUNTED, {}],
  ["with one field of the CNEFE after one without", {}, { enderecos: "1" }],
  ["with some fields of the CNEFE after one with all", COUNTED, {
    latitude: "",
  }],
];

for (const [name, first, second] of OTHER_FIELDS) {
  Deno.test(`SnapshotWriter refuses a record ${name}`, () => {
    const writer = new SnapshotWriter();
    writer.add(recordOf(address("01310100", first)));
    assertThrows(
      () => writer.add(recordOf(address("01310200", second))),
      RangeError,
      "Cannot add 01310200: it has other fields than the records before it",
    );
  });
}

Deno.test("SnapshotWriter writes no byte for the CNEFE without it", async () => {
  const stored = await write([address("01310100")]);
  assertEquals(stored.header.counted, false);
  const counted = await write([address("01310100", COUNTED)]);
  assertEquals(counted.header.counted, true);
  // One byte says that the record has no number.
  assertEquals(counted.parts[0]!.length - stored.parts[0]!.length, 1);
});

Deno.test("SnapshotWriter distinguishes texts that begin with one of many words", async () => {
  const all = Array.from(
    { length: 100 },
    (_, i) =>
      address(`013101${String(i).padStart(2, "0")}`, {
        logradouro: `Palavra${i} do fim`,
        complemento: `Palavra${99 - i} `,
        nome: [" ", "a b", `Palavra${i}`, " a"][i % 4]!,
      }),
  );
  // Only texts that begin with one of the first words are shortened.
  const snapshot = await roundTrip(all);
  for (const it of all) {
    assertEquals(snapshot.find(it.cep), jsonOf(it));
  }
});

Deno.test("SnapshotWriter sorts 50,000 CEPs", async () => {
  // A step that has no common factor with 100,000,000 repeats no CEP.
  const cepAt = (i: number) =>
    String(i * 61_803_399 % 100_000_000).padStart(8, "0");
  const count = 50_000;
  const snapshot = await roundTrip(
    Array.from({ length: count }, (_, i) => address(cepAt(i))),
  );
  for (let i = 0; i < count; i += 7) {
    const json = snapshot.find(cepAt(i));
    if (json === undefined) throw new Error(`${cepAt(i)} is lost`);
    assertEquals(json.slice(0, 18), `{"cep":"${cepAt(i)}",`);
    assertEquals(snapshot.find(cepAt(count + i)), undefined);
  }
});

/** Snapshot without empty parts, and with records in several parts. */
const SAMPLE: Stored = await write(
  Array.from(
    { length: 3000 },
    (_, i) => ({
      ...EMPTY,
      ...Object.fromEntries(
        FIELD_NAMES.map((name) => [
          name,
          NUMBERS[name] ? "" : `${name} ${i % 9}`,
        ]),
      ),
      cep: String(1_000_000 + i * 7919).padStart(8, "0"),
      logradouro: `Rua ${i} ${"x".repeat(1000)}`,
    }),
  ),
);
const { header: HEADER, parts: PARTS } = SAMPLE;

Deno.test("readSnapshot reads the sample, in which no part is empty", async () => {
  assert(HEADER.recordParts > 1);
  assert(PARTS.every(({ length }) => length > 0));
  const snapshot = await read(SAMPLE);
  assertEquals(snapshot.find("01000000")?.slice(0, 17), '{"cep":"01000000"');
});

for (const [i, part] of PARTS.entries()) {
  Deno.test(`readSnapshot refuses a flipped bit in part ${i} of ${PARTS.length}`, async () => {
    for (const at of [0, part.length >> 1, part.length - 1]) {
      const flipped = new Uint8Array(part);
      flipped[at]! ^= 1 << at % 8;
      await assertRejects(
        () => read({ ...SAMPLE, parts: PARTS.with(i, flipped) }),
        SnapshotError,
        "Cannot read snapshot: its checksum does not match",
      );
    }
  });

  Deno.test(`readSnapshot refuses a snapshot without part ${i} of ${PARTS.length}`, async () => {
    await assertRejects(
      () => read({ ...SAMPLE, parts: PARTS.toSpliced(i, 1) }),
      SnapshotError,
    );
  });

  Deno.test(`readSnapshot refuses a snapshot with part ${i} of ${PARTS.length} cut short`, async () => {
    for (const end of [0, part.length - 1]) {
      await assertRejects(
        () => read({ ...SAMPLE, parts: PARTS.with(i, part.subarray(0, end)) }),
        SnapshotError,
      );
    }
  });
}

const [FIRST, SECOND, ...MORE] = PARTS as [Uint8Array, Uint8Array];
const NOTHING = new Uint8Array();

const WRONG_PARTS: readonly [name: string, parts: readonly Uint8Array[]][] = [
  ["without parts", []],
  ["with an additional byte", [...PARTS, new Uint8Array(1)]],
  ["with an empty part at the end", [...PARTS, NOTHING]],
  ["with an empty part at the beginning", [NOTHING, ...PARTS]],
  ["with a part twice", [FIRST, FIRST, SECOND, ...MORE]],
  ["with two parts swapped", [SECOND, FIRST, ...MORE]],
  ["in one part", [Buffer.concat(PARTS)]],
];

for (const [name, parts] of WRONG_PARTS) {
  Deno.test(`readSnapshot refuses a snapshot ${name}`, async () => {
    await assertRejects(() => read({ ...SAMPLE, parts }), SnapshotError);
  });
}

Deno.test("readSnapshot refuses another version of the layout without reading a part", async () => {
  for (const version of [HEADER.version + 1, HEADER.version - 1]) {
    let isRead = false;
    const parts = async function* (): AsyncGenerator<Uint8Array> {
      isRead = true;
      yield await Promise.resolve(FIRST);
    };
    await assertRejects(
      () => readSnapshot({ ...HEADER, version }, parts()),
      SnapshotError,
      `Cannot read snapshot: its layout version is ${version}, ` +
        `not ${HEADER.version}`,
    );
    assertEquals(isRead, false);
  }
});

// deno-fmt-ignore
const ABSURD: readonly unknown[] = [
  -1, 0, 0.5, 2 ** 31, 2 ** 40, 2 ** 53, 1e308, "x", null, [], {},
];

for (
  const field of [
    "version",
    "records",
    "counted",
    "recordParts",
    "columns",
    "checksum",
  ]
) {
  for (const number of ABSURD) {
    const text = JSON.stringify({ [field]: number });
    Deno.test(`readSnapshot refuses a header with ${text}`, async () => {
      const header = { ...HEADER, ...JSON.parse(text) } as SnapshotHeader;
      await assertRejects(
        () => read({ ...SAMPLE, header }),
        SnapshotError,
        "Cannot read snapshot: ",
      );
    });
  }
}

Deno.test("readSnapshot refuses a header with any changed digit", async () => {
  const text = JSON.stringify(HEADER);
  const places = [...text.matchAll(/\d/g)].map(({ index }) => index);
  for (const place of places) {
    const digit = (Number(text[place]) + 1) % 10;
    const changed = text.slice(0, place) + digit + text.slice(place + 1);
    let header: SnapshotHeader;
    try {
      header = JSON.parse(changed);
    } catch {
      continue; // A number in JSON cannot begin with 0.
    }
    await assertRejects(
      () => read({ ...SAMPLE, header }),
      SnapshotError,
      "Cannot read snapshot: ",
      changed,
    );
  }
});
