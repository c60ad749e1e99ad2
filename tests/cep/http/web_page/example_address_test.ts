/** Examples of the page, which are of the data. */
import { assert, assertEquals } from "@std/assert";
import type { Address } from "../../../../cep/record/address.ts";
import {
  ExampleFinder,
  WELL_KNOWN,
} from "../../../../cep/http/web_page/example_address.ts";
import { DatabaseError } from "../../../../cep/store/store.ts";
import { address, fakeStore, recordsStore, RELEASE } from "../../_records.ts";
import { Service } from "../../_service.ts";
import { OpenedStore } from "../../_stores.ts";
import { repeat, seedBoth } from "../../import/_both.ts";

const PLACED = { latitude: 2.82, longitude: -60.67 };

for (
  const [name, records, sources, expected] of [
    ["the well-known one", [address(), address({ cep: "01310100" })], [], ""],
    [
      "the first with a street and a neighbourhood",
      [
        address({ cep: "69300000", logradouro: "", bairro: "" }),
        address({ cep: "69301000", bairro: "" }),
        address({ cep: "69301001" }),
        address({ cep: "69301002", ...PLACED }),
      ],
      [],
      "69301001",
    ],
    [
      "the first with coordinates, if the data have some",
      [address({ cep: "69301001" }), address({ cep: "69301002", ...PLACED })],
      ["cnefe"],
      "69301002",
    ],
    ["any record", [address({ logradouro: "", bairro: "" })], [], "01900001"],
    ["the well-known one without records", [], [], ""],
  ] as [string, Address[], ["cnefe"] | [], string][]
) {
  Deno.test(`ExampleFinder finds ${name}`, async () => {
    const finder = new ExampleFinder(recordsStore(records));
    const found = await finder.find({ ...RELEASE, sources });
    assertEquals(found.cep, expected || WELL_KNOWN.cep);
  });
}

Deno.test("ExampleFinder asks once for each release, and again after an error", async () => {
  let asked = 0;
  let isDamaged = true;
  const finder = new ExampleFinder(fakeStore({
    findJson() {
      asked++;
      if (isDamaged) throw new DatabaseError("damaged");
      return undefined;
    },
    list: () => Promise.resolve({ total: 1, data: [address()] }),
  }));
  assertEquals(await finder.find(RELEASE), WELL_KNOWN);
  isDamaged = false;
  for (const id of [1, 1, 1, 2, 2]) {
    const { cep, words, text } = await finder.find({ ...RELEASE, id });
    assertEquals([cep, words, text], [
      "01900001",
      "rua das flores vila grande",
      "Rua das Flores, Centro, Vila Grande/SP",
    ]);
  }
  assertEquals(asked, 3);
});

/** Values of an attribute, in order. */
function valuesOf(html: string, attribute: string): string[] {
  const found = html.matchAll(new RegExp(`${attribute}="([^"]*)"`, "g"));
  return [...found].map(([, value]) =>
    value!.replaceAll("&quot;", '"').replaceAll("&amp;", "&")
  );
}

Deno.test("the examples of the page have answers in data of one state", async () => {
  await using opened = await OpenedStore.inMemory();
  const { store } = opened;
  await seedBoth(store, {
    cnefe: {
      "14_RR.csv": ["69301001", "69301002"].flatMap((CEP) =>
        repeat(2, {
          COD_UF: "14",
          COD_MUNICIPIO: "1400100",
          CEP,
          DSC_LOCALIDADE: "CENTRO",
          LATITUDE: "2.820000",
          LONGITUDE: "-60.670000",
        })
      ),
    },
  });
  await using service = await Service.open({ store });
  const html = await (await service.ask("/")).text();
  assert(!html.includes("Paulista"), "an address of São Paulo");
  const [methods, paths, bodies] = ["data-run", "data-path", "data-body"]
    .map((name) => valuesOf(html, name));
  assertEquals(methods?.length, 6);
  for (const [i, path] of paths!.entries()) {
    const method = methods![i]!;
    const response = await service.ask(`/${path}`, {
      method,
      ...(method === "POST"
        ? {
          headers: { "content-type": "application/json" },
          body: bodies![i]!,
        }
        : {}),
    });
    const text = await response.text();
    assertEquals(response.status, 200, text);
    assert(text.includes("Boa Vista"), text);
  }
  const links = valuesOf(html, "href")
    .filter((it) => it.startsWith("?cep=") || it.startsWith("?q="));
  assertEquals(links[0], "?cep=69301-001");
  for (const link of links) {
    const response = await service.ask(`/${link}`);
    assertEquals(response.status, 200, link);
    await response.text();
  }
});
