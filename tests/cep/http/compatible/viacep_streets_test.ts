/** Streets that ViaCEP's search finds in a real store. */
import { assertEquals } from "@std/assert";
import { line, LINES } from "../../_directory.ts";
import { Service } from "../../_service.ts";
import { OpenedStore } from "../../_stores.ts";

/** Records in a neighbourhood with the words of the search. */
const IN_NEIGHBOURHOOD = 1000;

/** Maximum number of records in an answer. */
const LIMIT = 50;

/** Returns streets with consecutive CEPs. */
function streets(
  first: number,
  count: number,
  name: string,
  neighbourhood: string,
): string[] {
  return Array.from({ length: count }, (_, i) =>
    line("LOG_LOGRADOURO", {
      LOG_NU: `${first + i}`,
      LOG_NO: name.replace("#", `${i}`),
      LOG_COMPLEMENTO: "",
      BAI_NU_INI: neighbourhood,
      CEP: `0${first + i}`,
    }));
}

const SEARCHES: readonly (readonly [
  text: string,
  name: string,
  count: number,
  neighbourhood: string,
])[] = [
  ["Girassol", "Girassol #", 180, "Girassol"],
  ["Girassol", "Doutor # Girassol", 180, "Girassol"],
  ["Girassol", "Doutor # Girassol", 30, "Girassol"],
  ["Rua Girassol", "Doutor # Girassol", 180, "Girassol"],
  ["girass", "Doutor # Girassol", 180, "Girassol"],
  ["Jardim Girassol", "# Girassol Jardim", 180, "Jardim Girassol"],
  ["Joao", "São João #", 180, "São João"],
  ["vista", "Boa Vista #", 180, "Bela Vista"],
  ["Girassol", "Girassol #", 180, "Número"],
];

for (const [text, name, count, neighbourhood] of SEARCHES) {
  Deno.test(`GET /ws/:uf/:cidade/:logradouro/json finds "${text}" in ${count} streets "${name}" beside the neighbourhood ${neighbourhood}`, async () => {
    await using opened = await OpenedStore.inMemory({
      "LOG_BAIRRO.TXT": [
        ...LINES["LOG_BAIRRO.TXT"]!,
        `9@SP@1@${neighbourhood}@`,
      ],
      "LOG_LOGRADOURO_SP.TXT": [
        ...streets(1_910_000, IN_NEIGHBOURHOOD, "Número #", "9"),
        ...streets(1_930_000, count, name, "1"),
      ],
    });
    await using service = await Service.open({
      store: opened.store,
      config: { compatibility: ["viacep"], rateLimit: false },
    });
    const response = await service.ask(
      `/ws/SP/Vila%20Grande/${encodeURIComponent(text)}/json/`,
    );
    const found: { bairro: string }[] = await response.json();
    assertEquals(found.filter(({ bairro }) => bairro !== "Centro"), []);
    assertEquals(found.length, Math.min(count, LIMIT));
  });
}

Deno.test("GET /ws/:uf/:cidade/:logradouro/json lists the very street before those that begin so, of its type first", async () => {
  const street = (i: number, TLO_TX: string, LOG_NO: string) =>
    line("LOG_LOGRADOURO", {
      LOG_NU: `${1_910_000 + i}`,
      LOG_NO,
      TLO_TX,
      LOG_COMPLEMENTO: "",
      BAI_NU_INI: "1",
      CEP: `0${1_910_000 + i}`,
    });
  await using opened = await OpenedStore.inMemory({
    "LOG_LOGRADOURO_SP.TXT": [
      street(0, "Rua", "Sergipe"),
      street(1, "Rua", "da Sé Velha"),
      street(2, "Rua", "da Sé"),
      street(3, "Praça", "da Sé"),
      street(4, "Avenida", "Pará"),
    ],
  });
  await using service = await Service.open({
    store: opened.store,
    config: { compatibility: ["viacep"], rateLimit: false },
  });
  const search = async (text: string) => {
    const response = await service.ask(
      `/ws/SP/Vila%20Grande/${encodeURIComponent(text)}/json/`,
    );
    const found: { logradouro: string }[] = await response.json();
    return found.map(({ logradouro }) => logradouro);
  };
  assertEquals(await search("Praca da Se"), [
    "Praça da Sé",
    "Rua da Sé",
    "Rua da Sé Velha",
    "Rua Sergipe",
  ]);
  assertEquals(await search("av para"), ["Avenida Pará"]);
});
