import { assert, assertEquals } from "@std/assert";
import { STATES } from "../../../../cep/record/address.ts";
import { timeZone } from "../../../../cep/http/compatible/brasil_api.ts";
import { address } from "../../_records.ts";

Deno.test("timeZone returns a zone that the runtime knows for every state", () => {
  for (const uf of STATES) {
    const zone = timeZone(address({ uf, codigo_ibge: "" }));
    assert(new Intl.DateTimeFormat("pt-BR", { timeZone: zone }), uf);
  }
});

const PLACES: readonly (readonly [uf: string, ibge: string, zone: string])[] = [
  ["SP", "3550308", "America/Sao_Paulo"],
  ["PE", "2611606", "America/Recife"],
  ["PE", "2605459", "America/Noronha"],
  ["AM", "1302603", "America/Manaus"],
  ["AM", "1304062", "America/Eirunepe"],
  ["AC", "1200401", "America/Rio_Branco"],
];

for (const [uf, codigo_ibge, zone] of PLACES) {
  Deno.test(`timeZone returns ${zone} for ${codigo_ibge} in ${uf}`, () => {
    assertEquals(timeZone(address({ uf, codigo_ibge })), zone);
  });
}
