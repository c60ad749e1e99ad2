/** Any text is answered, with a bounded amount of work. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { PARTS } from "../../../../cep/record/address_parts.ts";
import { Matcher, MAX_ADDRESS } from "../../../../cep/search/matcher.ts";
import { Places } from "../../../../cep/record/places.ts";
import { SearchIndexWriter } from "../../../../cep/search/index_writer.ts";
import { Searcher } from "../../../../cep/search/search.ts";
import type { SearchIndex } from "../../../../cep/search/search_index.ts";
import type { Store } from "../../../../cep/store/mod.ts";
import { CODE_UNIT } from "../../_characters.ts";
import { entry } from "../../store/_release.ts";
import { readIndex } from "../_sample_index.ts";
import { openBrazil } from "./_brazil.ts";

const FIXED = { seed: 20260101, numRuns: 1000 };

let store: Store;

Deno.test.beforeAll(async () => {
  store = await openBrazil();
});

Deno.test.afterAll(() => store.close());

const PIECES = "Rua |Av. |SHIN QI 9 |Conjunto 5|C-149|São |Domingos|, | - |/|" +
  "\n|(|)|;|100|nº |s/n|km 3,5|km12|nº340|apto |ap12|qd1lt2|bloco B|qd 1 lt 2|Centro|Fortaleza|SP|" +
  "Floripa|01900-020|88O10|CEP |Bairro: |.|'|\u0000|🏠|*|\"|NEAR(|AND|e |D'|" +
  "ruafelipeschmidt|constructor|__proto__ |XV|ª|º|\u0301|\uFEFF|\uD800|ﬁ|１２";

const ANY = fc.oneof(
  fc.string({ unit: CODE_UNIT, maxLength: MAX_ADDRESS }),
  fc.array(fc.constantFrom(...PIECES.split("|"), "|"), { maxLength: 60 })
    .map((pieces) => pieces.join("").slice(0, MAX_ADDRESS)),
);

const GIVEN = fc.record(
  Object.fromEntries(PARTS.map((part) => [part, ANY])),
  { requiredKeys: [] },
);

Deno.test("Matcher.match answers any text and parts with a probability", async () => {
  const matcher = new Matcher(store);
  await fc.assert(
    fc.asyncProperty(ANY, GIVEN, async (text, parts) => {
      const found = (await matcher.match(text, parts))!;
      const { cep, registro, pontuacao, diferencas, outros_ceps } = found;
      assert(pontuacao >= 0 && pontuacao <= 1, `${pontuacao}`);
      assertEquals(cep === null, pontuacao < 0.5);
      assertEquals(registro?.cep ?? null, cep);
      if (cep === null) assertEquals(diferencas, []);
      const listed = [...outros_ceps, ...(cep === null ? [] : [cep])];
      assertEquals(new Set(listed).size, listed.length);
      assert(outros_ceps.length <= 10);
      for (const { campo, informado } of diferencas) {
        assertEquals(informado, found.endereco[campo]);
      }
    }),
    FIXED,
  );
});

/** Words whose letters are all in a text, without accents and letter case. */
function lettersOf(text: string): string {
  return text.normalize("NFKD").replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

Deno.test("Matcher.match invents no letters of an address", async () => {
  const matcher = new Matcher(store);
  await fc.assert(
    fc.asyncProperty(ANY, async (text) => {
      const { endereco } = (await matcher.match(text))!;
      const given = lettersOf(text);
      for (const part of PARTS) {
        if (part === "uf" || part === "cep") continue;
        for (const word of endereco[part].split(/[^\p{L}\p{N}\p{M}]+/u)) {
          assert(given.includes(lettersOf(word)), `${part}: ${word}`);
        }
      }
    }),
    FIXED,
  );
});

Deno.test("Store.search answers any text and filters", async () => {
  await fc.assert(
    fc.asyncProperty(
      ANY,
      fc.record(
        {
          city: ANY,
          neighbourhood: ANY,
          number: ANY,
          uf: fc.constantFrom("SP", "XX"),
        },
        { requiredKeys: [] },
      ),
      async (text, filters) => {
        const page = (await store.search({ text, limit: 7, ...filters }))!;
        assert(page.data.length <= 7);
        const ceps = page.data.map(({ cep }) => cep);
        assertEquals(new Set(ceps).size, ceps.length);
      },
    ),
    FIXED,
  );
});

/** Words of an index in which every word is in many records. */
const WORDS = ("Santa São João José Maria Rita Rua Nova Vila Jardim Centro A " +
  "B C 1 2 3 15 de Novembro Antônio").split(" ");

/** Records, and most items of its arrays that a query may read. */
const RECORDS = 20_000;
const MAX_READ = 1_500_000;

function crowdedIndex(): Promise<SearchIndex> {
  const word = (i: number) => WORDS[i % WORDS.length]!;
  const states = ["SP", "MG", "AC", "SC", "PE"];
  const places = new Places();
  for (let i = 0; i < 200; i++) {
    const uf = states[i % states.length]!;
    const name = `${word(i % 6)} ${word(Math.floor(i / 6))}`;
    places.localities.set(i, {
      ...{ number: i, uf, name, cep: "", situation: "1", type: "M" },
      ...{ parent: null, ibge: String(1_000_000 + i), abbreviation: "" },
    });
    for (let j = 0; j < 20; j++) {
      const number = 20 * i + j;
      const name = `${word(j)} ${word(i + j)} (${word(3 * i + j)})`;
      places.neighbourhoods.set(
        number,
        { number, uf, locality: i, name, abbreviation: "" },
      );
    }
  }
  const writer = new SearchIndexWriter(places);
  for (let number = 0; number < RECORDS; number++) {
    const locality = number % 200;
    const words = [0, 1, 2, 3]
      .map((i) => word(number * 7 + i * (1 + number % 11)));
    writer.add(
      entry(String(1_000_000 + number).padStart(8, "0"), {
        number,
        uf: states[locality % states.length]!,
        locality,
        neighbourhood: 20 * locality + Math.floor(number / 200) % 20,
        street: words.join(" "),
        complement: number % 3 === 0 ? "" : `(Lot ${word(number)})`,
      }),
    );
  }
  return readIndex(writer);
}

Deno.test("Searcher reads a bounded number of items of the index for any text", async () => {
  const index = await crowdedIndex();
  const searcher = new Searcher(index);
  let reads = 0;
  const count = <T extends object>(array: T): T =>
    new Proxy(array, {
      get(target, name) {
        const isItem = typeof name === "string" && /^\d/.test(name);
        if (isItem) reads++;
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  for (const [name, array] of Object.entries(index.arrays)) {
    Object.assign(index.arrays, { [name]: count(array) });
  }
  const words = fc.array(
    fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(" ", " ", " ", ", ")),
    { minLength: 1, maxLength: 60 },
  );
  const texts = words.map((all) => all.flat().join("").slice(0, MAX_ADDRESS));
  const few = { ...FIXED, numRuns: 40 };
  fc.assert(
    fc.property(texts, (text) => {
      reads = 0;
      searcher.findAddress({ text, parts: {}, limit: 11 });
      assert(reads < MAX_READ, `${reads}: ${text}`);
      reads = 0;
      searcher.search({ text, hasPrefix: true, offset: 900, limit: 101 });
      assert(reads < 2 * MAX_READ, `${reads}: ${text}`);
    }),
    few,
  );
});
