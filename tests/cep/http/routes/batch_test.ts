/** Batches of CEPs. */
import { assertEquals } from "@std/assert";
import { describeError } from "../../../../cep/http/errors.ts";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { DatabaseError } from "../../../../cep/store/store.ts";
import { address, fakeStore, recordsStore, RELEASE } from "../../_records.ts";
import {
  type Call,
  inChunks,
  Service,
  type ServiceOptions,
} from "../../_service.ts";

const RECORDS = [address(), address({ cep: "01900002", logradouro: "Rua B" })];
const JSON_TYPE = "application/json";
const LINES_TYPE = "application/x-ndjson";

const INVALID = describeError("cep_invalid").body;

function advised(motivo: string) {
  return describeError("cep_invalid", { motivo }).body;
}

function missing(cep: string) {
  return describeError("cep_not_found", { cep }).body;
}

type Options = ServiceOptions & Call & { readonly service?: Service };

async function post(
  type: string,
  body: BodyInit,
  options: Options = {},
): Promise<Response> {
  const service = options.service ??
    await Service.open({ records: RECORDS, ...options });
  const init = { method: "POST", body, duplex: "half" };
  return await service.ask("/ceps", {
    ...init,
    headers: { "content-type": type },
    ...(options.from !== undefined && { from: options.from }),
  });
}

async function ask(value: unknown, options?: Options) {
  const response = await post(JSON_TYPE, JSON.stringify(value), options);
  assertEquals(response.headers.get("content-type"), JSON_TYPE);
  assertEquals(response.headers.get("cache-control"), "no-store");
  return { status: response.status, body: await response.json() };
}

/** Returns the parsed lines of the answer. */
async function askLines(
  body: BodyInit,
  options?: Options,
): Promise<unknown[]> {
  const response = await post(LINES_TYPE, body, options);
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), LINES_TYPE);
  const text = await response.text();
  assertEquals(text === "" || text.endsWith("\n"), true);
  return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

for (
  const [name, values, answers] of [
    ["no CEPs", [], []],
    ["CEPs in order", ["01900002", "01900001"], [RECORDS[1], RECORDS[0]]],
    ["every written form", ["01900-001", "01.900-001"], [
      RECORDS[0],
      RECORDS[0],
    ]],
    ["a CEP twice", ["01900001", "01900001"], [RECORDS[0], RECORDS[0]]],
    ["unknown CEPs", ["99999999", "99999-998", "01900001"], [
      missing("99999999"),
      missing("99999998"),
      RECORDS[0],
    ]],
    ["blanks", [" 01900001", "01900 001", "01900\u00A0-\u00A0001\u00A0"], [
      RECORDS[0],
      RECORDS[0],
      RECORDS[0],
    ]],
    ["numbers", [1900001, 99999999], [RECORDS[0], missing("99999999")]],
    [
      "texts that are not a CEP",
      ["", "x", "1900001", "O19OO-OO1", "01900–001", "01900001"],
      [
        INVALID,
        INVALID,
        advised("se falta o zero inicial, informe 01900-001"),
        INVALID,
        advised("informe 01900-001"),
        RECORDS[0],
      ],
    ],
    ["letters in place of digits", ["019O0-0Ol"], [
      advised("troque as letras por dígitos: 01900-001"),
    ]],
    ["other values", [190000, 1.5, null, {}, ["01900001"], true, "01900001"], [
      INVALID,
      INVALID,
      INVALID,
      INVALID,
      INVALID,
      INVALID,
      RECORDS[0],
    ]],
  ] as const
) {
  Deno.test(`POST /ceps answers ${name}`, async () => {
    assertEquals(await ask(values), { status: 200, body: answers });
    const lines = values.map((it) => `${JSON.stringify(it)}\n`).join("");
    assertEquals(await askLines(lines), [...answers]);
  });
}

for (
  const [name, text, code] of [
    ["an object", "{}", "body_invalid"],
    ["a text", '"01900001"', "body_invalid"],
    ["null", "null", "body_invalid"],
    ["no body", "", "body_invalid"],
    ["half of an array", '["01900001"', "body_invalid"],
    ["deeply nested arrays", "[".repeat(60_000), "body_invalid"],
    [
      "more bytes than an array needs",
      `["${"1".repeat(65_536)}"]`,
      "body_too_large",
    ],
    [
      "bytes that are not UTF-8",
      new Uint8Array([0x5B, 0xFF, 0x5D]),
      "body_invalid",
    ],
  ] as const
) {
  Deno.test(`POST /ceps refuses ${name}`, async () => {
    const response = await post(JSON_TYPE, text);
    assertEquals((await response.json()).code, code);
  });
}

for (
  const [name, text, answers] of [
    ["no lines", "", []],
    ["lines with and without quotes", '"01900-001"\n01900002\n', RECORDS],
    [
      "CRLF, blanks and a missing line end",
      '01900001\r\n "01900-002" ',
      RECORDS,
    ],
    ["a byte order mark", "\uFEFF01900001\n", [RECORDS[0]]],
    ["escapes of JSON", '"\\u0030190000\\u0031"', [RECORDS[0]]],
    ["a broken line in its place", '01900001\n"0190\n01900002', [
      RECORDS[0],
      INVALID,
      RECORDS[1],
    ]],
    ["empty lines in their place", "\n01900001\n\n", [
      INVALID,
      RECORDS[0],
      INVALID,
    ]],
    ["other values", '5\nnull\n{"cep":"01900001"}\n["01900001"]\n', [
      INVALID,
      INVALID,
      INVALID,
      INVALID,
    ]],
    ["a line of 100,000 characters", `${"0".repeat(100_000)}\n01900001`, [
      describeError("body_too_large", { limite: "65536 bytes" }).body,
      RECORDS[0],
    ]],
    ["a NUL and other control characters", "\0\x1B\n01900001", [
      INVALID,
      RECORDS[0],
    ]],
    ["unknown CEPs", "99999999", [missing("99999999")]],
  ] as const
) {
  Deno.test(`POST /ceps answers lines: ${name}`, async () => {
    assertEquals(await askLines(text), [...answers]);
  });
}

Deno.test("POST /ceps answers more than 1,000 lines", async () => {
  const answers = await askLines("01900001\n".repeat(2500));
  assertEquals(answers.length, 2500);
});

Deno.test("POST /ceps ends a stream that is cut off", async () => {
  let chunks = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (chunks++ > 0) controller.error(new Error("gone"));
      else controller.enqueue(new TextEncoder().encode("01900001\n0190"));
    },
  });
  const motivo = "o corpo foi interrompido";
  assertEquals(await askLines(body), [
    RECORDS[0],
    describeError("body_invalid", { motivo }).body,
  ]);
});

Deno.test("POST /ceps counts each thousand lines as a request", async () => {
  const options = {
    from: "192.0.2.1",
    config: { rateLimitMax: 3, rateLimitBurst: 0, rateLimitMinutes: 1 },
    now: () => 0,
  };
  for (const [lines, expected] of [[3000, 3000], [3001, 3001], [9000, 3001]]) {
    const answers = await askLines("01900001\n".repeat(lines!), options);
    assertEquals(answers.length, expected);
    assertEquals(
      answers.at(-1),
      lines === 3000
        ? RECORDS[0]
        : describeError("rate_limited", { retry_after: 20 }).body,
    );
  }
});

Deno.test("POST /ceps gives the event loop back between two CEPs of an array", async () => {
  let ms = 0;
  let turns = 0;
  const seen: number[] = [];
  const store = recordsStore(RECORDS, {
    findJson() {
      ms += 10;
      seen.push(turns);
      return undefined;
    },
  });
  const asked = ask(["01900001", "01900002", "01900003"], {
    store,
    now: () => ms,
  });
  const others = (async () => {
    while (seen.length < 3) {
      await setImmediate();
      turns++;
    }
  })();
  const { body } = await asked;
  await others;
  assertEquals(body.length, 3);
  assertEquals(new Set(seen).size, 3);
});

Deno.test("POST /ceps counts an array as one request", async () => {
  await using service = await Service.open({
    records: RECORDS,
    config: { rateLimitMax: 2, rateLimitBurst: 0 },
    now: () => 0,
  });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) {
    const response = await service.ask("/ceps", {
      method: "POST",
      headers: { "content-type": JSON_TYPE },
      body: JSON.stringify(Array(1000).fill("01900001")),
      from: "192.0.2.1",
    });
    statuses.push(response.status);
    await response.body?.cancel();
  }
  assertEquals(statuses, [200, 200, 429]);
});

Deno.test("POST /ceps counts the records that it serves", async () => {
  await using service = await Service.open({ records: RECORDS });
  const response = await service.ask("/ceps", {
    method: "POST",
    headers: { "content-type": JSON_TYPE },
    body: JSON.stringify(["01900001", "x", "01900002"]),
  });
  await response.body?.cancel();
  const metrics = await (await service.ask("/metrics")).text();
  assertEquals(metrics.match(/^cep_cache_hits_total (\d+)$/m)?.[1], "2");
});

Deno.test("POST /ceps ends a stream with an error if the database fails", async () => {
  const store = fakeStore({
    release: () => Promise.resolve(RELEASE),
    findJson() {
      throw new DatabaseError("gone");
    },
  });
  const response = await post(LINES_TYPE, "01900001", { store });
  const failure = await response.text().catch((error) => error);
  assertEquals(failure instanceof DatabaseError, true);
});

const SHORT_TEXT = fc.oneof(
  fc.constantFrom("01900001", "01900-002", "99999999", '"01900001"', "", "\r"),
  fc.string({ maxLength: 9 }),
);

Deno.test("POST /ceps answers any array with as many answers", async () => {
  const value = fc.oneof(SHORT_TEXT, fc.jsonValue({ maxDepth: 2 }));
  await using service = await Service.open({ records: RECORDS });
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { maxLength: 20 }),
      async (values) => {
        const { status, body } = await ask(values, { service });
        assertEquals([status, body.length], [200, values.length]);
        for (const [i, { cep, code }] of body.entries()) {
          const value = values[i];
          if (code === undefined || code === "cep_not_found") {
            assertEquals(
              cep,
              `${value}`.replaceAll(/\D/g, "").padStart(8, "0"),
            );
          } else {
            assertEquals(RECORDS.some((record) => record.cep === value), false);
          }
        }
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("POST /ceps answers any bytes with as many answers as lines", async () => {
  await using service = await Service.open({ records: RECORDS });
  const line = fc.oneof(
    SHORT_TEXT.map((text) => [...new TextEncoder().encode(text)]),
    fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 9 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 20 }),
      fc.integer({ min: 1, max: 40 }),
      async (lines, size) => {
        const bytes = lines.flatMap((it) => [...it, 0x0A]);
        const ends = bytes.filter((it) => it === 0x0A).length;
        const answers = await askLines(inChunks(Uint8Array.from(bytes), size), {
          service,
        });
        assertEquals(answers.length, ends);
      },
    ),
    { numRuns: 200 },
  );
});
