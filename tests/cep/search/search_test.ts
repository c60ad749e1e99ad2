/** Searches of the sample, in a store and over HTTP. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Address } from "../../../cep/record/address.ts";
import { seed } from "../../../cep/import/seed.ts";
import { createHandler } from "../../../cep/http/handler.ts";
import { encodeCursor } from "../../../cep/http/page.ts";
import { openStore, type Store } from "../../../cep/store/mod.ts";
import type { Position } from "../../../cep/store/store.ts";
import { entry, fill } from "../store/_release.ts";
import { TEXT } from "./_texts.ts";

const SAMPLE = new URL("../../../samples/dne", import.meta.url);

let sample: Promise<Store> | undefined;

function openSample(): Promise<Store> {
  return sample ??= openStore({ path: ":memory:" }).then(async (store) => {
    await seed({ directory: decodeURIComponent(SAMPLE.pathname), store });
    return store;
  });
}

interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly total: number | null;
  readonly data: Address[];
  readonly cursor: string | null;
}

async function ask(parameters: Record<string, string>): Promise<Answer> {
  const handler = createHandler({
    store: await openSample(),
    config: { rateLimit: false },
  });
  const query = new URLSearchParams(parameters);
  const response = await handler(
    new Request(`http://localhost/busca?${query}`),
  );
  return { ...await response.json(), status: response.status };
}

/** Queries and the street of the first result. */
const FIRST: Readonly<Record<string, string>> = {
  "av paulista": "Avenida Paulista",
  "paulista sao paulo": "Avenida Paulista",
  "SP SAO PAULO PAULISTA": "Avenida Paulista",
  "rua paulista sao paulo": "Avenida Paulista",
  "av pualista": "Avenida Paulista",
  "av paulsta": "Avenida Paulista",
  "aveinda paulista": "Avenida Paulista",
  "pça se sao paulo": "Praça da Sé",
  "av paul": "Avenida Paulista",
  "r 15": "Rua Quinze",
};

for (const [q, street] of Object.entries(FIRST)) {
  Deno.test(`GET /busca finds "${street}" for "${q}"`, async () => {
    const { data } = await ask({ q });
    assertEquals(data[0]?.logradouro, street);
  });
}

/** Street types, as users write them, and as streets begin with them. */
const TYPES = [
  ["avenida", "Avenida"],
  ["Av.", "Avenida"],
  ["rua", "Rua"],
  ["praça", "Praça"],
  ["pca", "Praça"],
  ["travesa", "Travessa"],
] as const;

for (const [q, type] of TYPES) {
  Deno.test(`GET /busca lists the streets of a type for "${q}"`, async () => {
    const filters = [{}, { uf: "SP" }, { cidade: "sao paulo" }];
    for (const filter of filters) {
      const { data } = await ask({ q, ...filter });
      assert(data.length > 0, JSON.stringify(filter));
      for (const { tipo_logradouro } of data) {
        assert(tipo_logradouro.endsWith(type), tipo_logradouro);
      }
    }
  });
}

Deno.test("GET /ws/:uf/:cidade/:logradouro/json lists the streets of a type", async () => {
  const handler = createHandler({
    store: await openSample(),
    config: { rateLimit: false, compatibility: ["viacep"] },
  });
  const response = await handler(
    new Request("http://localhost/ws/SP/Sao Paulo/Avenida/json"),
  );
  const found: { logradouro: string }[] = await response.json();
  assert(found.length > 3);
  for (const { logradouro } of found) assert(logradouro.includes("Avenida "));
});

Deno.test("GET /busca chooses the stretch of a building number", async () => {
  const q = "av paulista, sao paulo";
  const even = await ask({ q, numero: "1000" });
  assertEquals(even.data.map(({ cep }) => cep), ["01310100"]);
  const odd = await ask({ q, numero: "1047" });
  assertEquals(odd.data.map(({ cep }) => cep), ["01311200"]);
  const within = await ask({ q: "av paulista 1578, bela vista" });
  assertEquals(within.data.map(({ cep }) => cep), ["01310200"]);
});

/** Whole addresses, and the CEP of the first result. */
const ADDRESSES: readonly (readonly [string, string])[] = [
  ["Av. Paulista, 1578 - Bela Vista, São Paulo - SP, 01310-200", "01310200"],
  ["Av. Paulista, 1578, São Paulo/SP, CEP 01310200", "01310200"],
  // The CEP of another stretch.
  ["Av. Paulista 1578, São Paulo/SP, 01310-100", "01310200"],
  ["Av. Paulista 1578, São Paulo/SP, 01310-999", "01310200"],
  ["av paulista 1578 apto 12", "01310200"],
  ["Av. Paulista, 1578, bloco B, Bela Vista", "01310200"],
  ["1578 av paulista sao paulo", "01310200"],
  ["av paulista n 1578 sao paulo", "01310200"],
  ["01310-200, 1578", "01310200"],
  ["01310-200 apto 12", "01310200"],
  ["Av. Paulista, s/n, São Paulo", "01310100"],
  ["Av. Paulista, km 30, São Paulo", "01310100"],
];

for (const [q, cep] of ADDRESSES) {
  Deno.test(`GET /busca reads the address "${q}"`, async () => {
    const { data } = await ask({ q });
    assertEquals(data[0]?.cep, cep);
  });
}

Deno.test("GET /busca applies its filters to a whole address", async () => {
  const q = "Av. Paulista, apto 12, 01310-200";
  assertEquals((await ask({ q, uf: "AM" })).data, []);
  assertEquals((await ask({ q, bairro: "Sé" })).data, []);
  const odd = await ask({ q, numero: "1577", cidade: "São Paulo" });
  assertEquals(odd.data.map(({ cep }) => cep), ["01311200"]);
});

Deno.test("GET /busca pages through the records of a whole address", async () => {
  const q = "Av. Paulista, s/n, São Paulo";
  const whole = await ask({ q });
  assert(whole.data.length > 2);
  const paged: Address[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: Answer = await ask({ q, limite: "1", cursor });
    assertEquals(page.data.length, 1);
    paged.push(...page.data);
    cursor = page.cursor;
  }
  assertEquals(paged, whole.data);
});

Deno.test("GET /busca lists the CEPs of a prefix in order", async () => {
  for (const q of ["013", "01.3", "01310-", "CEP 01310"]) {
    const { data, total } = await ask({ q });
    const ceps = data.map(({ cep }) => cep);
    assertEquals(ceps, ceps.toSorted());
    assertEquals(ceps[0], "01310100");
    assert(total !== null && total >= ceps.length);
  }
});

Deno.test("GET /busca limits results to the places of its filters", async () => {
  const { data } = await ask({
    q: "paulista",
    uf: "sp",
    cidade: "S. Paulo",
    bairro: "bela vista",
  });
  assert(data.length > 0);
  for (const { cidade, bairro } of data) {
    assertEquals([cidade, bairro], ["São Paulo", "Bela Vista"]);
  }
  assertEquals((await ask({ q: "paulista", uf: "AC" })).data, []);
});

/** Requests that are refused, and their error codes. */
const REFUSED: readonly (readonly [Record<string, string>, string])[] = [
  [{}, "parameter_invalid"],
  [{ q: "  " }, "parameter_invalid"],
  [{ q: "a", uf: "XX" }, "parameter_invalid"],
  [{ q: "a", numero: "-1" }, "parameter_invalid"],
  [{ q: "a", limite: "0" }, "parameter_invalid"],
  [{ q: "a", limite: "101" }, "parameter_invalid"],
  [{ q: "a", cursor: "x" }, "cursor_invalid"],
  [{ q: "a", cursor: "WzEsMiwzXQ" }, "cursor_invalid"],
];

for (const [parameters, expected] of REFUSED) {
  Deno.test(`GET /busca refuses ${JSON.stringify(parameters)}`, async () => {
    const { status, code } = await ask(parameters);
    assertEquals([status, code], [400, expected]);
  });
}

Deno.test("GET /busca refuses a forged position", async () => {
  const release = (await (await openSample()).release())!;
  const key = JSON.stringify(["rua", null, null, null, null]);
  for (
    const position of [
      [],
      [1, 2],
      [-1],
      ["a", 0],
      [1.5],
      ["palavras"],
      [
        "palavras",
        -1,
      ],
      ["palavras", 1.5],
      ["palavras", 0, 0],
      ["palavras", "0"],
    ]
  ) {
    const cursor = encodeCursor(release, key, position);
    const { code } = await ask({ q: "rua", cursor });
    assertEquals(code, "cursor_invalid");
  }
});

/** Texts that are answered, whatever they mean elsewhere. */
const ODD = [
  "a".repeat(10_000),
  "a ".repeat(5000),
  '"',
  "*",
  "NEAR(rua, 5)",
  "'; DROP TABLE cep; --",
  "😀",
  "\0\x01\x1f",
  "rua",
  "e",
  "de da do",
  "-",
  "9".repeat(400),
];

for (const q of ODD) {
  Deno.test(`GET /busca answers ${JSON.stringify(q.slice(0, 20))}`, async () => {
    assertEquals((await ask({ q })).status, 200);
  });
}

Deno.test("GET /busca answers any text and filters, or refuses them", async () => {
  await fc.assert(
    fc.asyncProperty(
      TEXT,
      fc.option(TEXT),
      fc.option(TEXT),
      fc.option(fc.string()),
      async (q, cidade, bairro, numero) => {
        const { status } = await ask({
          q,
          ...cidade === null ? {} : { cidade },
          ...bairro === null ? {} : { bairro },
          ...numero === null ? {} : { numero },
        });
        assert(status === 200 || status === 400);
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("GET /busca answers or refuses any cursor", async () => {
  const { cursor } = await ask({ q: "rua", limite: "1", uf: "SP" });
  const cursors = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.integer({ min: 0 })
      .map((at) => (cursor ?? "").slice(0, at % 40)),
  );
  await fc.assert(fc.asyncProperty(cursors, async (cursor) => {
    const { status } = await ask({ q: "rua", limite: "1", uf: "SP", cursor });
    assert(status === 200 || status === 400);
  }));
});

Deno.test("Store.search pages through the same results as one page", async () => {
  const store = await openSample();
  await fc.assert(
    fc.asyncProperty(
      TEXT,
      fc.integer({ min: 1, max: 7 }),
      async (text, limit) => {
        const whole = await store.search({ text, limit: 60 });
        const ceps: string[] = [];
        let page = await store.search({ text, limit });
        ceps.push(...page!.data.map(({ cep }) => cep));
        while (page!.next !== null && ceps.length < 60) {
          page = await store.search({ text, limit, after: page!.next });
          ceps.push(...page!.data.map(({ cep }) => cep));
        }
        assertEquals(
          ceps.slice(0, 60),
          whole!.data.map(({ cep }) => cep),
        );
        assertEquals(new Set(ceps).size, ceps.length);
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("Store.search lists at most 1,000 results of words, each once", async () => {
  const store = await openStore({ path: ":memory:" });
  const streets = Array.from(
    { length: 1200 },
    (_, i) => entry(`0${1_900_000 + i}`, { number: i, street: "das Flores" }),
  );
  await fill(store, streets);
  const found: string[] = [];
  let after: Position | undefined;
  do {
    const page = await store.search({
      text: "das flores",
      limit: 90,
      ...(after && { after }),
    });
    found.push(...page!.data.map(({ cep }) => cep));
    after = page!.next ?? undefined;
  } while (after);
  assert(found.length >= 1000 && found.length < 1090, `${found.length}`);
  assertEquals(new Set(found).size, found.length);
  await store.close();
});

Deno.test("Store.search finds nothing in an empty store without the index", async () => {
  const store = await openStore({ path: ":memory:", search: false });
  try {
    assertEquals(await store.search({ text: "a", limit: 1 }), undefined);
  } finally {
    await store.close();
  }
});
