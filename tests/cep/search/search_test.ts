/** Searches of the sample, in a store and over HTTP. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Address } from "../../../cep/address.ts";
import { seed } from "../../../cep/dne/seed.ts";
import { createHandler } from "../../../cep/http/handler.ts";
import { encodeCursor } from "../../../cep/http/page.ts";
import { openStore, type Store } from "../../../cep/store/mod.ts";

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
  readonly proximo: string | null;
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

Deno.test("GET /busca chooses the stretch of a building number", async () => {
  const q = "av paulista, sao paulo";
  const even = await ask({ q, numero: "1000" });
  assertEquals(even.data.map(({ cep }) => cep), ["01310100"]);
  const odd = await ask({ q, numero: "1047" });
  assertEquals(odd.data.map(({ cep }) => cep), ["01311200"]);
  const within = await ask({ q: "av paulista 1578, bela vista" });
  assertEquals(within.data.map(({ cep }) => cep), ["01310200"]);
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
  for (const position of [[], [1, 2], [-1, 0, 0], ["a", 0, 0], [1.5, 0, 0]]) {
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

const WORD = fc.constantFrom(
  "rua",
  "av",
  "sao",
  "paulo",
  "centro",
  "jd",
  "15",
  "quinze",
  "e",
  "de",
  "sp",
  "s",
  "das flores",
  ",",
  "n",
  "vila",
);

const TEXT = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.array(WORD, { maxLength: 6 }).map((words) => words.join(" ")),
);

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
    { numRuns: 200 },
  );
});

Deno.test("GET /busca answers or refuses any cursor", async () => {
  const { proximo } = await ask({ q: "rua", limite: "1", uf: "SP" });
  const cursors = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.integer({ min: 0 })
      .map((at) => (proximo ?? "").slice(0, at % 40)),
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
    { numRuns: 60 },
  );
});

Deno.test("Store.search finds a record by its own street and place", async () => {
  const store = await openSample();
  for await (const records of store.scan()) {
    for (const [i, record] of records.entries()) {
      if (i % 10 > 0 || record.tipo_origem !== "logradouro") continue;
      const { logradouro, bairro, cidade, uf } = record;
      const text = `${logradouro}, ${bairro}, ${cidade}, ${uf}`;
      const { data } = (await store.search({ text, limit: 100 }))!;
      assert(data.some(({ cep }) => cep === record.cep), text);
    }
  }
});

Deno.test("Store.search throws without the index", async () => {
  const store = await openStore({ path: ":memory:", search: false });
  try {
    assertEquals(await store.search({ text: "a", limit: 1 }), undefined);
  } finally {
    await store.close();
  }
});
