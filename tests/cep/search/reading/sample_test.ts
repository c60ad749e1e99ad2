/** Every record of the sample, sent back as parts and as a text. */
import { assert, assertEquals } from "@std/assert";
import type { Address } from "../../../../cep/record/address.ts";
import type { AddressParts } from "../../../../cep/record/address_parts.ts";
import { Matcher } from "../../../../cep/search/matcher.ts";
import { openStore, type Store } from "../../../../cep/store/mod.ts";
import {
  containsNumber,
  parseComplement,
  parseStreetNumber,
} from "../../../../cep/record/street_number.ts";
import { seedSample } from "../../_seeding.ts";

let store: Store;
let records: readonly Address[];

Deno.test.beforeAll(async () => {
  store = await openStore({ path: ":memory:" });
  await seedSample(store);
  records = (await Array.fromAsync(store.scan())).flat();
});

Deno.test.afterAll(() => store.close());

/** Ways to write the address of a record. */
const WRITTEN: Readonly<
  Record<string, (parts: Partial<AddressParts>) => string>
> = {
  "parts": () => "",
  "a text": ({ logradouro, numero, bairro, cidade, uf }) => {
    const street = [logradouro, numero, bairro].filter(Boolean).join(", ");
    return `${street}, ${cidade}/${uf}`;
  },
};

/** Matches an address, as its parts or as a text. */
async function match(parts: Partial<AddressParts>, way: string) {
  const text = WRITTEN[way]!(parts);
  return (await new Matcher(store).match(text, text === "" ? parts : {}))!;
}

/** Returns a building number on the stretch of a record, `""` without one. */
function numberOn({ complemento }: Address): string {
  for (const { from, to, side, unit } of parseComplement(complemento)) {
    if (unit !== "number" || side === "D" || side === "E") continue;
    const parity = side === "P" ? 0 : 1;
    const first = from + Math.abs((from - parity) % 2);
    if (first <= to) return String(first);
  }
  return "";
}

function isOn(number: string, { complemento }: Address): boolean {
  const stretches = parseComplement(complemento);
  const value = parseStreetNumber(number)!;
  return stretches.length === 0 ||
    stretches.some((it) => containsNumber(it, value));
}

function isSameStreet(one: Address, other: Address): boolean {
  return one.logradouro === other.logradouro && one.bairro === other.bairro &&
    one.cidade === other.cidade && one.uf === other.uf;
}

for (const way of Object.keys(WRITTEN)) {
  Deno.test(`Matcher finds the street and neighbourhood of every street as ${way}`, async () => {
    const wrong: string[] = [];
    for (const record of records) {
      if (record.tipo_origem !== "logradouro") continue;
      const { logradouro, bairro, cidade, uf } = record;
      const given = { logradouro, bairro, cidade, uf };
      const { registro, diferencas } = await match(given, way);
      const isRight = registro !== null && isSameStreet(registro, record);
      if (isRight && diferencas.length === 0) continue;
      wrong.push(`${JSON.stringify(given)} -> ${registro?.logradouro}`);
    }
    assertEquals(wrong, []);
  });

  Deno.test(`Matcher finds the CEP of every building number as ${way}`, async () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const record of records) {
      const numero = numberOn(record);
      if (record.tipo_origem !== "logradouro" || numero === "") continue;
      const { logradouro, bairro, cidade, uf } = record;
      const given = { logradouro, numero, bairro, cidade, uf };
      const { cep, pontuacao, diferencas } = await match(given, way);
      const others = records.filter((it) =>
        it.cep !== record.cep && isSameStreet(it, record) && isOn(numero, it)
      );
      const ceps = [record, ...others].map(({ cep }) => cep);
      tried++;
      if (
        diferencas.length === 0 && ceps.includes(cep!) &&
        (others.length > 0 || pontuacao >= 0.8)
      ) continue;
      wrong.push(`${JSON.stringify(given)} -> ${cep} ${pontuacao}`);
    }
    assertEquals(wrong, []);
    assert(tried > 100, `${tried}`);
  });

  Deno.test(`Matcher finds every town and village, or lists it, as ${way}`, async () => {
    const wrong: string[] = [];
    for (const record of records) {
      if (record.tipo_origem !== "localidade") continue;
      const { cep, distrito, cidade, uf } = record;
      const given = { bairro: distrito, cidade, uf };
      const found = await match(given, way);
      const isRight = found.cep === cep ||
        distrito !== "" && found.pontuacao < 0.8 &&
          found.outros_ceps.includes(cep);
      if (isRight) continue;
      wrong.push(`${JSON.stringify(given)} -> ${found.cep}, not ${cep}`);
    }
    assertEquals(wrong, []);
  });
}

Deno.test("Matcher finds every large user, unit and mailbox by its name", async () => {
  const wrong: string[] = [];
  for (const { cep, nome, logradouro, bairro, cidade, uf } of records) {
    if (nome === "") continue;
    const place = [nome, logradouro, bairro].filter(Boolean).join(", ");
    const text = `${place}, ${cidade}/${uf}`;
    const found = (await new Matcher(store).match(text))!;
    const isRight = found.cep === cep ||
      found.pontuacao < 0.8 && found.outros_ceps.includes(cep);
    if (!isRight) wrong.push(`${text} -> ${found.cep} ${found.pontuacao}`);
  }
  assertEquals(wrong, []);
});

Deno.test("Store.search lists every street among the first for its own text", async () => {
  const wrong: string[] = [];
  for (const record of records) {
    if (record.tipo_origem !== "logradouro") continue;
    const text = WRITTEN["a text"]!(record);
    const { data } = (await store.search({ text, limit: 100 }))!;
    const found: Address[] = data.map(({ json }) => JSON.parse(json));
    const rank = found.findIndex(({ cep }) => cep === record.cep);
    const isFirst = found.slice(0, rank).every((it) =>
      isSameStreet(it, record)
    );
    if (rank < 0 || !isFirst) wrong.push(text);
  }
  assertEquals(wrong, []);
});
