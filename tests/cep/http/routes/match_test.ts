/** Addresses sent to `POST /enderecos`. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describeError } from "../../../../cep/http/errors.ts";
import { Buffer } from "node:buffer";
import { MAX_ADDRESS } from "../../../../cep/search/matcher.ts";
import { NO_PARTS } from "../../../../cep/record/address_parts.ts";
import { openStore, type Store } from "../../../../cep/store/mod.ts";
import { address, recordsStore } from "../../_records.ts";
import { inChunks, Service } from "../../_service.ts";
import { entry, fill } from "../../store/_release.ts";

const RECORD = address();

let store: Store;

Deno.test.beforeAll(async () => {
  store = await openStore({ path: ":memory:" });
  const { cep, complemento: complement } = RECORD;
  await fill(store, [entry(cep, { street: "das Flores", complement })]);
});

Deno.test.afterAll(() => store.close());

async function post(body: BodyInit): Promise<Response> {
  await using service = await Service.open({ store });
  return await service.ask("/enderecos", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
}

async function ask(body: unknown) {
  const response = await post(
    typeof body === "string" ? body : JSON.stringify(body),
  );
  return { status: response.status, body: await response.json() };
}

const FOUND = {
  cep: "01900001",
  diferencas: [],
  outros_ceps: [],
  cep_novo: null,
  nome_encontrado: null,
  endereco: {
    ...NO_PARTS,
    logradouro: "R. das Flores",
    numero: "5",
    cidade: "Vila Grande",
    uf: "SP",
  },
  registro: RECORD,
};

const FREE = { endereco: "R. das Flores, 5, Vila Grande/SP" };

const ACCEPTED: readonly (readonly [name: string, body: unknown])[] = [
  ["a free address", FREE],
  ["parts", {
    logradouro: "R. das Flores",
    numero: 5,
    complemento: null,
    cidade: "Vila Grande",
    uf: "sp",
  }],
  ["a free address and parts", {
    endereco: "R. das Flores, 5",
    cidade: "Vila Grande",
    uf: "SP",
  }],
];

for (const [name, body] of ACCEPTED) {
  Deno.test(`POST /enderecos finds the record of ${name}`, async () => {
    const { status, body: { pontuacao, ...found } } = await ask(body);
    assertEquals([status, found], [200, FOUND]);
    assert(pontuacao >= 0.8 && pontuacao <= 1, `${pontuacao}`);
  });
}

Deno.test("POST /enderecos reports what differs", async () => {
  const { body } = await ask({ ...FREE, cep: "01900-009", numero: "6" });
  assertEquals(body.diferencas, [
    {
      campo: "numero",
      informado: "6",
      encontrado: "de 1 a 99 - lado ímpar",
    },
    { campo: "cep", informado: "01900009", encontrado: "01900001" },
  ]);
});

/** Sends bytes in chunks of a size, and returns the lines of the answer. */
async function askLines(
  bytes: Uint8Array,
  size = bytes.length,
): Promise<unknown[]> {
  await using service = await Service.open({ store });
  const init = { method: "POST", body: inChunks(bytes, size), duplex: "half" };
  const response = await service.ask("/enderecos", {
    ...init,
    headers: { "content-type": "application/x-ndjson" },
  });
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/x-ndjson");
  return (await response.text()).split("\n").slice(0, -1)
    .map((it) => JSON.parse(it));
}

const MARK = "\uFEFF";

/** Items, each of which is a line of a stream or the body of a request. */
const ITEMS: readonly (readonly [name: string, item: string | Uint8Array])[] = [
  ["an address", JSON.stringify(FREE)],
  ["blanks around it", ` ${JSON.stringify(FREE)}\r`],
  ["a byte order mark", `${MARK}${JSON.stringify(FREE)}`],
  ["accents", '{"endereco":"Praça João Ângelo, Conceição 🏠"}'],
  ["escapes of JSON", '{"endereco":"Pra\\u00e7a Jo\\u00e3o"}'],
  ["U+FFFD", '{"endereco":"Jo\uFFFDo"}'],
  [
    "ISO-8859-1",
    Uint8Array.from('{"endereco":"João"}', (it) => it.charCodeAt(0)),
  ],
  ["half of a character", new TextEncoder().encode('"ã').slice(0, -1)],
  ["500 characters", JSON.stringify({ endereco: "ã".repeat(MAX_ADDRESS) })],
  ["501 characters", JSON.stringify({ endereco: "ã".repeat(MAX_ADDRESS + 1) })],
  ["16,384 bytes", `{"cep":1}${" ".repeat(16_375)}`],
  ["16,385 bytes", `{"cep":1}${" ".repeat(16_376)}`],
  ["nothing", ""],
  ["half of an object", '{"endereco"'],
  ["a text", '"Rua"'],
  ["null", "null"],
  ["an object without members", "{}"],
  ["an unknown member", '{"rua":"a"}'],
];

for (const [name, item] of ITEMS) {
  Deno.test(`POST /enderecos answers a line as it answers a body: ${name}`, async () => {
    const bytes = Buffer.from(item);
    const response = await post(bytes);
    const line = Buffer.concat([bytes, Buffer.from("\n")]);
    assertEquals(await askLines(line), [await response.json()]);
  });
}

for (const size of [1, 2, 3, 4, 5]) {
  Deno.test(`POST /enderecos decodes UTF-8 in chunks of ${size} bytes`, async () => {
    const texts = ["São João", "ç", "Ângelo 🏠", "—", FREE.endereco];
    const lines = texts.map((endereco) => JSON.stringify({ endereco }));
    const bytes = new TextEncoder().encode(MARK + lines.join("\r\n"));
    const expected = await Promise.all(
      texts.map(async (endereco) => (await ask({ endereco })).body),
    );
    assertEquals(await askLines(bytes, size), expected);
  });
}

Deno.test("POST /enderecos answers the lines around one that is not UTF-8", async () => {
  const line = Buffer.from(`${JSON.stringify(FREE)}\n`);
  const broken = Buffer.from('{"endereco":"João"}\n', "latin1");
  const answers = await askLines(Buffer.concat([line, broken, line]));
  const { body: found } = await ask(FREE);
  const { body } = describeError("body_invalid", { motivo: "deve ser UTF-8" });
  assertEquals(answers, [found, body, found]);
});

Deno.test("POST /enderecos counts 250 lines as one request", async () => {
  await using service = await Service.open({
    records: [address()],
    config: { rateLimitMax: 2, rateLimitBurst: 0 },
    now: () => 0,
  });
  const response = await service.ask("/enderecos", {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: '{"cep":"01900-001"}\n'.repeat(600),
    from: "192.0.2.1",
  });
  const answers = (await response.text()).trim().split("\n");
  assertEquals(answers.length, 501);
  const { code, retry_after } = JSON.parse(answers.at(-1)!);
  assertEquals([code, retry_after], ["rate_limited", 450]);
});

/** Lines that are read together, before their work is known. */
const READ_AT_ONCE = 16;

/** Lines that a client with a quota of two requests gets answered. */
const WORK: Readonly<Record<number, number>> = { 0: 500, 0.5: 84, 1: 46 };

for (const [work, lines] of Object.entries(WORK)) {
  Deno.test(`POST /enderecos charges lines that take ${work} of the work of a search`, async () => {
    const records = recordsStore([address()]);
    await using service = await Service.open({
      store: recordsStore([address()], {
        async findAddress(query) {
          const page = await records.findAddress(query);
          return page && { ...page, work: Number(work) };
        },
      }),
      config: { rateLimitMax: 2, rateLimitBurst: 0 },
      now: () => 0,
    });
    const response = await service.ask("/enderecos", {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: '{"cep":"01900-001"}\n'.repeat(600),
      from: "192.0.2.1",
    });
    const answers = (await response.text()).trim().split("\n");
    assertEquals(JSON.parse(answers.at(-1)!).code, "rate_limited");
    assertAlmostEquals(answers.length - 1, lines, READ_AT_ONCE);
  });
}

for (const endereco of ["xyz", "", "\u0000", "*", "🏠", null]) {
  Deno.test(`POST /enderecos answers ${JSON.stringify(endereco)} without a record`, async () => {
    const { status, body: { cep, pontuacao, registro } } = await ask({
      endereco,
    });
    assertEquals([status, cep, pontuacao, registro], [200, null, 0, null]);
  });
}

const MEMBERS =
  "endereco, logradouro, numero, complemento, bairro, cidade, uf, cep";

const NOT_A_TEXT = "deve ser um texto, ou um número inteiro de 0 a 99999999";

const REFUSED: readonly (readonly [
  name: string,
  body: unknown,
  error: Record<string, string>,
])[] = [
  ["an unknown member", { rua: "Rua A" }, {
    parametro: "rua",
    motivo: `deve ser um destes: ${MEMBERS}`,
  }],
  ["an object as a part", { ...FREE, bairro: {} }, {
    parametro: "bairro",
    motivo: NOT_A_TEXT,
  }],
  ...[1e308, -1, 1.5, 100_000_000, true].map((cep) =>
    [`${cep} as a CEP`, { cep }, {
      parametro: "cep",
      motivo: NOT_A_TEXT,
    }] as const
  ),
  ["a member of 10,000 letters", { ["🏠".repeat(3000)]: "" }, {
    parametro: `${"🏠".repeat(40)}…`,
    motivo: `deve ser um destes: ${MEMBERS}`,
  }],
  ["10,000 letters", { endereco: "x".repeat(10_000) }, {
    parametro: "endereco",
    motivo: `deve ter no máximo ${MAX_ADDRESS} caracteres`,
  }],
  ["an object without members", {}, {
    parametro: "endereco",
    motivo: "informe um endereço, ou suas partes",
  }],
];

for (const [name, body, { parametro, motivo }] of REFUSED) {
  Deno.test(`POST /enderecos refuses ${name}`, async () => {
    const { status, body: error } = await ask(body);
    assertEquals(
      [status, error.code, error.parametro, error.motivo],
      [400, "parameter_invalid", parametro, motivo],
    );
  });
}
