import { assertEquals } from "@std/assert";
import { ask } from "./_peer.ts";

const STREET =
  '{"cep":"01310-100","logradouro":"Avenida Paulista","complemento":"de 612 a 1510 - lado par","unidade":"","bairro":"Bela Vista","localidade":"São Paulo","uf":"SP","estado":"São Paulo","regiao":"Sudeste","ibge":"3550308"}';

const UNKNOWN = '{"error":true}';

const ANSWERS:
  readonly (readonly [cep: string, status: number, text: string])[] = [
    ["01310100", 200, STREET],
    ["01310100/", 200, STREET],
    ["01310100.json", 200, STREET],
    ["01310-100", 200, STREET],
    ["01310-100.json/", 200, STREET],
    ["99999999", 404, UNKNOWN],
    ["99999999.json", 404, UNKNOWN],
    ["0131010", 404, UNKNOWN],
    ["013101000", 404, UNKNOWN],
    ["01310100.xml", 404, UNKNOWN],
    ["01310100.json.json", 404, UNKNOWN],
    [".json", 404, UNKNOWN],
    ["x", 404, UNKNOWN],
    ["%00", 404, UNKNOWN],
  ];

for (const [cep, status, text] of ANSWERS) {
  Deno.test(`GET /v1/${cep} returns ${status} as OpenCEP`, async () => {
    assertEquals(await ask(`/v1/${cep}`), {
      status,
      type: "application/json",
      text,
    });
  });
}
