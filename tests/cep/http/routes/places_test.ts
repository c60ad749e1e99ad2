/** States, municipalities, districts and neighbourhoods of the sample. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Gazetteer } from "../../../../cep/release/gazetteer.ts";
import { CODE_UNIT } from "../../_characters.ts";
import { recordsStore, RELEASE } from "../../_records.ts";
import { samplePlaces } from "../../_sample_places.ts";
import { Service } from "../../_service.ts";

interface Place {
  readonly nome: string;
  readonly faixas: readonly unknown[] | null;
}

async function ask(
  path: string,
  gazetteer: () => Promise<Gazetteer> = samplePlaces,
) {
  const store = recordsStore([], { gazetteer });
  const config = { cacheSeconds: 7 };
  await using service = await Service.open({ store, config });
  const response = await service.ask(path);
  const body = await response.json();
  assertEquals(response.status, body.code === undefined ? 200 : 404, body.code);
  const isCached = response.headers.get("cache-control") === "max-age=7";
  assertEquals(isCached, response.status === 200, path);
  return body;
}

async function namesIn(path: string): Promise<string[]> {
  const { total, data, cursor } = await ask(path);
  assertEquals([total, cursor], [data.length, null]);
  return data.map(({ nome }: Place) => nome);
}

/** Places of the sample, as if its optional files had not been imported. */
async function withoutOptionalFiles(): Promise<Gazetteer> {
  const places = await samplePlaces();
  return new Proxy(places, {
    get(target, name) {
      if (name === "release") return RELEASE;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

Deno.test("/estados lists 27 states by abbreviation", async () => {
  const { total, data, cursor } = await ask("/estados");
  assertEquals([total, data.length, cursor], [27, 27, null]);
  assertEquals(data[2], {
    sigla: "AM",
    nome: "Amazonas",
    regiao: "Norte",
    codigo_ibge: "13",
    faixas: [
      { inicio: "69000000", fim: "69299999" },
      { inicio: "69400000", fim: "69899999" },
    ],
  });
});

const SAO_PAULO = {
  nome: "São Paulo",
  uf: "SP",
  codigo_ibge: "3550308",
  ddd: "11",
  siafi: "7107",
  latitude: -23.5329,
  longitude: -46.6395,
  cep: "",
  faixas: [
    { inicio: "01000000", fim: "05999999", tipo: "T" },
    { inicio: "08000000", fim: "08499999", tipo: "T" },
  ],
};

Deno.test("/estados/:uf/municipios lists municipalities by name", async () => {
  const names = ["Arumiçaba", "Pacubiara", "São Paulo"];
  for (const uf of ["SP", "sp"]) {
    assertEquals(await namesIn(`/estados/${uf}/municipios/`), names);
  }
  const { data } = await ask("/estados/SP/municipios");
  assertEquals(data[2], SAO_PAULO);
});

Deno.test("/municipios/:ibge returns a municipality", async () => {
  assertEquals(await ask("/municipios/3550308"), SAO_PAULO);
});

Deno.test("/municipios/:ibge leaves unknown facts empty", async () => {
  assertEquals(await ask("/municipios/3590002"), {
    nome: "Arumiçaba",
    uf: "SP",
    codigo_ibge: "3590002",
    ddd: "",
    siafi: "",
    latitude: null,
    longitude: null,
    cep: "13250000",
    faixas: [{ inicio: "13250000", fim: "19998999", tipo: "T" }],
  });
});

Deno.test("/municipios/:ibge/distritos lists districts and villages", async () => {
  const { data } = await ask("/municipios/3550308/distritos");
  assertEquals(data, [
    { nome: "Pedra Lisa", tipo: "povoado", cep: "", faixas: [] },
    { nome: "Santa Cruz", tipo: "distrito", cep: "01002000", faixas: [] },
    { nome: "Vila Nova", tipo: "distrito", cep: "", faixas: [] },
  ]);
});

Deno.test("/municipios/:ibge/bairros lists neighbourhoods with their ranges", async () => {
  const { total, data } = await ask("/municipios/3550308/bairros?limite=1");
  assertEquals(total, 12);
  assertEquals(data, [{
    nome: "Alto Alvorada",
    distrito: "",
    faixas: [{ inicio: "01000635", fim: "01000735" }],
  }]);
});

for (
  const district of ["Santa Cruz", "santa cruz", "SÁNTA CRÚZ", " Santa Cruz "]
) {
  Deno.test(`/municipios/:ibge/bairros lists those of "${district}"`, async () => {
    const all = await ask("/municipios/3550308/bairros");
    const expected = all.data.filter((it: { readonly distrito: string }) =>
      it.distrito === "Santa Cruz"
    );
    const query = new URLSearchParams({ distrito: district });
    const { total, data } = await ask(`/municipios/3550308/bairros?${query}`);
    assertEquals([total, data], [1, expected]);
  });
}

Deno.test("/municipios/:ibge/bairros lists those of the seat for an empty district", async () => {
  const { data } = await ask("/municipios/3550308/bairros?distrito=");
  assertEquals(
    data.every((it: { readonly distrito: string }) => it.distrito === ""),
    true,
  );
});

Deno.test("/municipios/:ibge/bairros lists nothing for an unknown district", async () => {
  for (const district of ["x", "%00", "'", "%25", "x".repeat(10_000)]) {
    const path = `/municipios/3550308/bairros?distrito=${district}`;
    assertEquals(await ask(path), { total: 0, data: [], cursor: null });
  }
});

for (
  const path of [
    "/estados",
    "/estados/SP/municipios",
    "/municipios/3550308/distritos",
    "/municipios/3550308/bairros",
  ]
) {
  Deno.test(`${path} returns null for ranges that were not imported`, async () => {
    const { data } = await ask(path, withoutOptionalFiles);
    assertEquals(data.every(({ faixas }: Place) => faixas === null), true);
  });
}

for (
  const [path, code] of [
    ["/estados/XX/municipios", "place_not_found"],
    ["/municipios/9999999", "place_not_found"],
    ["/municipios/9999999/bairros", "place_not_found"],
  ] as const
) {
  Deno.test(`${path} returns 404 ${code}`, async () => {
    assertEquals((await ask(path)).code, code);
  });
}

for (
  const path of [
    "/estados/S/municipios",
    "/estados/SPX/municipios",
    "/estados/%C3%9F/municipios",
    "/estados/%00%00/municipios",
    "/estados/S'/municipios",
    "/municipios/355030",
    "/municipios/35503080",
    "/municipios/3550308x",
    "/municipios/%20550308",
    "/municipios/sao-paulo",
    "/municipios/sao-paulo/distritos",
    "/municipios/3550308'/bairros",
  ]
) {
  Deno.test(`${path} returns 400 parameter_invalid`, async () => {
    await using service = await Service.open({ records: [] });
    const response = await service.ask(path);
    const { code, parametro } = await response.json();
    assertEquals([response.status, code], [400, "parameter_invalid"]);
    assertEquals(parametro, path.startsWith("/e") ? "uf" : "ibge");
  });
}

Deno.test("places answer any path and query without a failure of their own", async () => {
  const store = recordsStore([], { gazetteer: samplePlaces });
  await using service = await Service.open({ store });
  const text = fc.array(CODE_UNIT, { maxLength: 9 })
    .map((units) => units.join("").toWellFormed());
  const place = fc.oneof(text, fc.constantFrom("3550308", "SP"));
  const path = fc.constantFrom(
    (it: string) => `/estados/${it}/municipios`,
    (it: string) => `/municipios/${it}`,
    (it: string) => `/municipios/${it}/distritos`,
    (it: string) => `/municipios/${it}/bairros`,
  );
  const query = fc.record(
    { limite: text, cursor: text, distrito: text },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(path, place, query, async (toPath, it, parameters) => {
      const pairs = new URLSearchParams(parameters);
      const response = await service.ask(
        `${toPath(encodeURIComponent(it))}?${pairs}`,
      );
      assertEquals([200, 400, 404].includes(response.status), true);
      await response.body?.cancel();
    }),
    { numRuns: 300 },
  );
});
