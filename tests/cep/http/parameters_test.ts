/** Unknown parameters, and bodies without a type, as people send them. */
import { assertEquals } from "@std/assert";
import { address, recordsStore } from "../_records.ts";
import { samplePlaces } from "../_sample_places.ts";
import { Service } from "../_service.ts";

const RECORD = address({ cep: "01900001", logradouro: "Rua São João" });

const REFUSED: readonly (readonly [
  path: string,
  parameter: string,
  reason: string,
])[] = [
  ["/busca?q=rua&cidad=x", "cidad", "talvez cidade; deve ser um destes: q, "],
  ["/busca?q=rua&utm_source=x", "utm_source", "deve ser um destes: q, "],
  ["/cep/01900001?callback=f", "callback", "deve ser um destes: formato"],
  ["/estados?x=1", "x", "esta rota não tem parâmetros"],
  ["/debug/list?Prefix=01", "Prefix", "talvez prefix; deve ser"],
  [`/estados?${"é".repeat(60)}=1`, `${"é".repeat(40)}…`, "esta rota"],
];

for (const [path, parameter, reason] of REFUSED) {
  Deno.test(`createHandler refuses the unknown parameter of ${path.slice(0, 40)}`, async () => {
    await using service = await Service.open({ records: [RECORD] });
    const response = await service.ask(path);
    const { code, parametro, motivo } = await response.json();
    assertEquals([response.status, code], [400, "parameter_invalid"]);
    assertEquals([parametro, motivo.slice(0, reason.length)], [
      parameter,
      reason,
    ]);
  });
}

const ACCEPTED = [
  "/ws/01900001/json/?t=1",
  "/api/cep/v1/01900001?t=1",
  "/v1/01900001?t=1",
  "/?utm_source=x",
  "/livez?t=1",
  "/healthcheck?t=1",
  "/metrics?t=1",
];

for (const path of ACCEPTED) {
  Deno.test(`createHandler ignores the unknown parameter of ${path}`, async () => {
    await using service = await Service.open({ records: [RECORD] });
    const response = await service.ask(path);
    await response.body?.cancel();
    assertEquals(response.status, 200);
  });
}

const FORM = "application/x-www-form-urlencoded";

Deno.test("POST /ceps accepts JSON with the type that curl -d sends", async () => {
  await using service = await Service.open({ records: [RECORD] });
  const ask = (body: string) =>
    service.ask("/ceps", {
      method: "POST",
      headers: { "content-type": FORM },
      body,
    });
  const [record] = await (await ask('["01900001"]')).json();
  assertEquals(record.logradouro, "Rua São João");
  const form = await ask("cep=01900001");
  assertEquals([form.status, (await form.json()).code], [400, "body_invalid"]);
});

Deno.test("GET /estados/:uf/municipios links to the next page until the last", async () => {
  const store = recordsStore([], { gazetteer: samplePlaces });
  await using service = await Service.open({ store });
  const first = "http://cep.test/estados/SP/municipios?limite=1";
  const seen: string[] = [];
  let next: string | undefined = first;
  while (next !== undefined) {
    const { pathname, search } = new URL(next, first);
    const response: Response = await service.ask(pathname + search);
    const { total, data, cursor } = await response.json();
    seen.push(...data.map(({ nome }: { nome: string }) => nome));
    const link = response.headers.get("link");
    assertEquals(link === null, cursor === null);
    next = link?.match(/^<(.*)>; rel="next"$/)?.[1];
    if (next !== undefined) next = new URL(next, first).href;
    else assertEquals(seen.length, total);
  }
  assertEquals(new Set(seen).size, seen.length);
});
