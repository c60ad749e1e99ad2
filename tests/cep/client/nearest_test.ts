import { assertEquals, assertRejects } from "@std/assert";
import { CepError } from "../../../cep/client/mod.ts";
import { censusBody } from "../../../cep/http/census_body.ts";
import { censusRow } from "../store/_release.ts";
import { address } from "../_records.ts";
import { Exchanges, json } from "./_exchanges.ts";

const NEAR = { ...address({ cep: "01310100" }), distancia_m: 12 };

/** Queries, and the query strings of their requests. */
const QUERIES: readonly (readonly [
  latitude: number,
  longitude: number,
  limit: number | undefined,
  query: string,
])[] = [
  [-23.56168, -46.65598, undefined, "lat=-23.5616800&lng=-46.6559800"],
  [0, 180, 5, "lat=0.0000000&lng=180.0000000&limite=5"],
  [1e-7, -1e-9, 1, "lat=0.0000001&lng=-0.0000000&limite=1"],
  [NaN, Infinity, 1, "lat=NaN&lng=Infinity&limite=1"],
];

for (const [latitude, longitude, limit, query] of QUERIES) {
  Deno.test(`nearest requests ${query}`, async () => {
    const it = new Exchanges([
      json({ total: null, data: [NEAR], cursor: null }),
    ]);
    const found = await it.client.nearest({ latitude, longitude, limit });
    assertEquals(found, [NEAR]);
    assertEquals(it.urls, [`https://cep.test/proximos?${query}`]);
  });
}

/** Responses that are not of the API. */
const WRONG: readonly unknown[] = [
  null,
  [],
  {},
  { data: [null] },
  { data: [address()] },
  { data: [{ ...NEAR, distancia_m: "12" }] },
  { data: [{ ...NEAR, cep: 1 }] },
];

for (const body of WRONG) {
  Deno.test(`nearest refuses the response ${JSON.stringify(body).slice(0, 40)}`, async () => {
    const { client } = new Exchanges([json(body)]);
    const error = await assertRejects(
      () => client.nearest({ latitude: 0, longitude: 0 }),
      CepError,
    );
    assertEquals(error.code, "response_invalid");
  });
}

Deno.test("census returns the addresses of a CEP", async () => {
  const body = censusBody(censusRow("01310100"), { name: "Vila", uf: "SP" });
  const it = new Exchanges([json(body)]);
  assertEquals(await it.client.census("01310-100"), body);
  assertEquals(it.urls, ["https://cep.test/cep/01310100/censo"]);
});
