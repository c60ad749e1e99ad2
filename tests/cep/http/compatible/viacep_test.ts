import { assertEquals, assertMatch } from "@std/assert";
import type { Address } from "../../../../cep/record/address.ts";
import { XMLParser } from "fast-xml-parser";
import { recordsStore } from "../../_records.ts";
import { UnreachableError } from "../../../../cep/store/store.ts";
import { ask, LARGE_USER, openPeer, STREET } from "./_peer.ts";

const STREET_JSON =
  '{"cep":"01310-100","logradouro":"Avenida Paulista","complemento":"de 612 a 1510 - lado par","unidade":"","bairro":"Bela Vista","localidade":"São Paulo","uf":"SP","estado":"São Paulo","regiao":"Sudeste","ibge":"3550308","gia":"","ddd":"11","siafi":"7107"}';

const FORMS = ["01310100", "01310-100", "01.310-100", "%30%31310-100"];

for (const cep of FORMS) {
  for (const end of ["json", "json/", "json?callback="]) {
    Deno.test(`GET /ws/${cep}/${end} returns the fields of ViaCEP in their order`, async () => {
      assertEquals(await ask(`/ws/${cep}/${end}`), {
        status: 200,
        type: "application/json",
        text: STREET_JSON,
      });
    });
  }
}

/** Addresses as the DNE has them, with the fields of ViaCEP. */
const ADDRESSES: readonly (readonly [
  changes: Partial<Address>,
  logradouro: string,
  complemento: string,
])[] = [
  [{}, "Avenida Paulista", "900"],
  [{ tipo_origem: "unid_oper" }, "Avenida Paulista", "900"],
  [{ logradouro: "Rua da Sé, s/n" }, "Rua da Sé", "s/n"],
  [{ logradouro: "Rodovia X, km 4,5" }, "Rodovia X", "km 4,5"],
  [{ logradouro: "Rua 1, 2 Bloco A, B" }, "Rua 1", "2 Bloco A, B"],
  [{ logradouro: "Vila A" }, "Vila A", ""],
  [{ logradouro: "Rua A, 1", complemento: "fundos" }, "Rua A, 1", "fundos"],
  [
    { logradouro: "Rua A, B", tipo_origem: "logradouro" },
    "Rua A, B",
    "",
  ],
];

for (const [changes, ...fields] of ADDRESSES) {
  Deno.test(`GET /ws/:cep/json splits the address of ${JSON.stringify(changes)}`, async () => {
    const records = [{ ...LARGE_USER, ...changes }];
    const { text } = await ask("/ws/01310900/json", { records });
    const { unidade, logradouro, complemento } = JSON.parse(text);
    assertEquals(unidade, LARGE_USER.nome);
    assertEquals([logradouro, complemento], fields);
  });
}

Deno.test("GET /ws/:cep/json leaves unknown facts empty", async () => {
  const { text } = await ask("/ws/99999998/json");
  const { estado, regiao, ibge, gia, ddd, siafi } = JSON.parse(text);
  assertEquals([estado, regiao, ibge, gia, ddd, siafi], Array(6).fill(""));
});

const UNKNOWN:
  readonly (readonly [path: string, type: string, text: string])[] = [
    ["/ws/99999999/json", "application/json", '{"erro":"true"}'],
    [
      "/ws/99999999/json?callback=f",
      "application/javascript; charset=utf-8",
      'f({"erro":"true"});',
    ],
    [
      "/ws/99999999/xml/",
      "application/xml; charset=utf-8",
      '<?xml version="1.0" encoding="UTF-8"?>\n<xmlcep>\n' +
      "  <erro>true</erro>\n</xmlcep>\n",
    ],
  ];

for (const [path, type, text] of UNKNOWN) {
  Deno.test(`GET ${path} returns 200 with erro`, async () => {
    assertEquals(await ask(path), { status: 200, type, text });
  });
}

/** Replaced CEPs and a removed one. */
const SUCCESSORS: readonly (readonly [
  path: string,
  successor: string | null,
  text: string,
])[] = [
  ["json", "01310100", '{"erro":"true","cep_novo":"01310-100"}'],
  ["json?callback=f", "01310100", 'f({"erro":"true","cep_novo":"01310-100"});'],
  [
    "xml",
    "01310100",
    '<?xml version="1.0" encoding="UTF-8"?>\n<xmlcep>\n' +
    "  <erro>true</erro>\n  <cep_novo>01310-100</cep_novo>\n</xmlcep>\n",
  ],
  ["json", null, '{"erro":"true"}'],
];

for (const [path, successor, text] of SUCCESSORS) {
  Deno.test(`GET /ws/:cep/${path} names the successor ${successor} if the settings ask for it`, async () => {
    const store = recordsStore([STREET], {
      lastChange: (cep) =>
        Promise.resolve({
          cep,
          successor,
          dneVersion: "26012",
          seededAt: "2026-01-30T12:00:00.000Z",
        }),
    });
    const url = `/ws/01310-999/${path}`;
    const config = { viacepSuccessor: true };
    assertEquals((await ask(url, { store, config })).text, text);
    assertEquals(
      (await ask(url, { store })).text.includes("cep_novo"),
      false,
    );
  });
}

Deno.test("GET /ws/:cep/json names no successor while the server is away", async () => {
  const store = recordsStore([STREET], {
    lastChange: () => Promise.reject(new UnreachableError("away")),
  });
  const config = { viacepSuccessor: true };
  const { status, text } = await ask("/ws/01310999/json", { store, config });
  assertEquals([status, text], [200, '{"erro":"true"}']);
});

const MALFORMED = [
  "/ws/0131010/json",
  "/ws/013101000/json",
  "/ws/0131010A/json/",
  "/ws/95010%2010/json",
  "/ws//json",
  "/ws/%00/xml",
  "/ws/013101000/xml",
  "/ws/%3Cscript%3E/xml/",
  "/ws/01310100/json?callback=alert(1)",
  "/ws/01310100/json?callback=a%0Ab",
  "/ws/99999999/json?callback=%3Cscript%3E",
];

for (const path of MALFORMED) {
  Deno.test(`GET ${path} returns 400 and HTML without the input`, async () => {
    const { status, type, text } = await ask(path);
    assertEquals([status, type], [400, "text/html; charset=utf-8"]);
    assertMatch(text, /Bad Request/);
    assertEquals(text.includes("script"), false);
  });
}

Deno.test("GET /ws/:cep/json?callback= returns a script that browsers do not sniff", async () => {
  await using service = await openPeer();
  const response = await service.ask("/ws/01310-100/json/?callback=a.b[0]&_=1");
  assertEquals(response.headers.get("x-content-type-options"), "nosniff");
  assertEquals(await response.text(), `a.b[0](${STREET_JSON});`);
});

Deno.test("GET /ws/:cep/xml escapes the values", async () => {
  const { text } = await ask("/ws/01310900/xml");
  const { xmlcep } = new XMLParser().parse(text);
  assertEquals(xmlcep.unidade, LARGE_USER.nome);
});
