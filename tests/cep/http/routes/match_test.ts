/** Addresses sent to `POST /enderecos`. */
import { assertEquals } from "@std/assert";
import { MAX_ADDRESS } from "../../../../cep/matching/matcher.ts";
import { NO_PARTS } from "../../../../cep/matching/parts.ts";
import { address } from "../../_records.ts";
import { Service } from "../../_service.ts";

const RECORD = address();

async function ask(body: unknown, type = "application/json") {
  await using service = await Service.open({ records: [RECORD] });
  const response = await service.ask("/enderecos", {
    method: "POST",
    headers: { "content-type": type },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const FOUND = {
  cep: "01900001",
  pontuacao: 1,
  diferencas: [],
  outros_ceps: [],
  cep_novo: null,
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
    assertEquals(await ask(body), { status: 200, body: FOUND });
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

Deno.test("POST /enderecos answers lines, with errors in their places", async () => {
  await using service = await Service.open({ records: [address()] });
  const lines = ['{"cep":"01900-001"}', "x", "{}", '{"rua":"a"}', "null"];
  const response = await service.ask("/enderecos", {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: lines.join("\n"),
  });
  assertEquals(response.headers.get("content-type"), "application/x-ndjson");
  const answers = (await response.text()).trim().split("\n")
    .map((it) => JSON.parse(it));
  assertEquals(answers.map(({ cep, code }) => cep ?? code), [
    "01900001",
    "body_invalid",
    "parameter_invalid",
    "parameter_invalid",
    "body_invalid",
  ]);
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

for (const body of ["", "{", "[]", "null", '"Rua A"', "1"]) {
  Deno.test(`POST /enderecos refuses the body ${body}`, async () => {
    const { status, body: { code } } = await ask(body);
    assertEquals([status, code], [400, "body_invalid"]);
  });
}
