import { assertEquals } from "@std/assert";
import { XMLParser } from "fast-xml-parser";
import type { Address } from "../../../../cep/record/address.ts";
import {
  type AddressSearch,
  viacepSearch,
} from "../../../../cep/http/compatible/viacep_search.ts";
import type { Answer } from "../../../../cep/http/exchange.ts";
import { exchange } from "../../_service.ts";
import { LARGE_USER, STREET } from "./_peer.ts";

type Query = Parameters<AddressSearch["search"]>[0];

interface Search {
  readonly form?: "json" | "xml";
  readonly uf?: string;
  readonly cidade?: string;
  readonly logradouro?: string;
  readonly query?: string;
  readonly found?: readonly Address[];
}

/** Runs a route over a store that finds the given records. */
async function run(
  { form = "json", found = [STREET], query = "", ...variables }: Search = {},
): Promise<{ answer: Answer; text: string; queries: Query[] }> {
  const queries: Query[] = [];
  const store: AddressSearch = {
    search(query) {
      queries.push(query);
      const data = found.map((record) => ({ json: JSON.stringify(record) }));
      return Promise.resolve({ data });
    },
  };
  const route = viacepSearch({ store, cacheSeconds: 300 })
    .find(({ pattern }) => pattern.endsWith(form))!;
  const answer = await route.handle(exchange({
    variables: {
      uf: "SP",
      cidade: "São Paulo",
      logradouro: "Paulista",
      ...variables,
    },
    query,
  }));
  return { answer, text: `${answer.body!.content}`, queries };
}

Deno.test("viacepSearch asks for up to 50 records of a street in a city", async () => {
  const { answer, text, queries } = await run({
    uf: "sp",
    cidade: "Sao+Paulo",
    logradouro: "Avenida+Paulista",
  });
  assertEquals(queries, [{
    text: "Avenida Paulista",
    uf: "SP",
    city: "Sao Paulo",
    limit: 50,
    streets: true,
  }]);
  assertEquals([answer.status, answer.maxAge], [200, 300]);
  const [record, ...others] = JSON.parse(text);
  assertEquals(others, []);
  assertEquals([record.cep, record.unidade], ["01310-100", ""]);
});

Deno.test("viacepSearch returns JSONP", async () => {
  const { answer, text } = await run({ found: [], query: "callback=f" });
  assertEquals(answer.body!.type, "application/javascript; charset=utf-8");
  assertEquals(text, "f([]);");
});

const MALFORMED: readonly Search[] = [
  { uf: "XX" },
  { uf: "" },
  { uf: "SPX" },
  { cidade: "" },
  { cidade: "Sã" },
  { cidade: "😀😀" },
  { logradouro: "" },
  { logradouro: "Ru" },
  { logradouro: "---" },
  { logradouro: "\0\0\0" },
  { query: "callback=alert(1)" },
];

for (const search of MALFORMED) {
  for (const form of ["json", "xml"] as const) {
    if (form === "xml" && search.query) continue;
    Deno.test(`viacepSearch returns 400 for ${JSON.stringify(search)} in ${form}`, async () => {
      const { answer, queries } = await run({ ...search, form });
      assertEquals(answer.status, 400);
      assertEquals(answer.body!.type, "text/html; charset=utf-8");
      assertEquals(queries, []);
    });
  }
}

Deno.test("viacepSearch returns XML", async () => {
  const { answer, text } = await run({
    form: "xml",
    found: [STREET, LARGE_USER],
  });
  assertEquals(answer.body!.type, "application/xml; charset=utf-8");
  const { xmlcep } = new XMLParser().parse(text);
  const { endereco } = xmlcep.enderecos;
  assertEquals(endereco.length, 2);
  assertEquals(endereco[0].logradouro, STREET.logradouro);
  assertEquals(endereco[1].unidade, LARGE_USER.nome);
});

Deno.test("viacepSearch returns XML without results", async () => {
  const { text } = await run({ form: "xml", found: [] });
  assertEquals(
    text,
    '<?xml version="1.0" encoding="UTF-8"?>\n<xmlcep>\n' +
      "  <enderecos/>\n</xmlcep>\n",
  );
});
