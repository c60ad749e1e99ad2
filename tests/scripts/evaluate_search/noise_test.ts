/** Noise of the evaluation: what each function may write. */
import { assert, assertEquals } from "@std/assert";
import {
  abbreviate,
  abbreviateBlock,
  abbreviationKey,
  chat,
  glueWords,
  initials,
  leadIn,
  misspell,
  misspellByEar,
  numberedUnit,
  numberWithUnit,
  plot,
  respellPersons,
  slipCode,
  SLIPS,
  unit,
  withOtherTitle,
  withoutTitle,
  withTitle,
  wrongCode,
} from "../../../scripts/evaluate_search/noise.ts";
import {
  otherNumerals,
  soundKey,
  toFigures,
} from "../../../scripts/evaluate_search/text.ts";
import { Random } from "../../../scripts/generate_dne/random.ts";

/** Different results of a function for many seeds, in order. */
function resultsOf<T>(write: (random: Random) => T): T[] {
  const results = new Set<T>();
  for (let seed = 0; seed < 300; seed++) {
    results.add(write(new Random(seed, "noise")));
  }
  return [...results].sort();
}

Deno.test("SLIPS change one letter", () => {
  const random = new Random(7, "slips");
  assertEquals(SLIPS.missing("Rosa", 1, random), "Rsa");
  assertEquals(SLIPS.swapped("Rosa", 1, random), "Rsoa");
  assertEquals(SLIPS.swapped("Anna", 1, random), "nAna");
  assertEquals(SLIPS.doubled("Rosa", 1, random), "Roosa");
  for (const wrong of resultsOf((random) => SLIPS.wrong("Rosa", 1, random))) {
    assert(/^R[ipl]sa$/.test(wrong), wrong);
  }
});

Deno.test("misspell makes as many slips, in words of four letters", () => {
  for (const name of resultsOf((random) => misspell("da Rosa 1000", random))) {
    assert(/^da \S+ 1000$/.test(name!) && name !== "da Rosa 1000", name);
  }
  const both = (random: Random) => misspell("Olga Rosa", random, { times: 2 });
  for (const name of resultsOf(both)) {
    const [first, second] = name!.split(" ");
    assert(first !== "Olga" && second !== "Rosa", name);
  }
  const random = new Random(7, "");
  assertEquals(misspell("Rua 13", random), undefined);
  assertEquals(misspell("Rosa", random, { times: 2 }), undefined);
});

const BY_EAR: readonly [word: string, ...written: string[]][] = [
  ["Souza", "Sousa"],
  ["Philomena", "Filomena", "Philomenna"],
  ["Machado", "Maxado"],
  ["Wilson", "Vilson"],
  ["Campos", "Canpos"],
  ["Fox"],
  ["Braga"],
];

for (const [word, ...written] of BY_EAR) {
  Deno.test(`misspellByEar writes "${word}" as it sounds`, () => {
    const results = resultsOf((random) => misspellByEar(word, random));
    assertEquals(results.filter((it) => it !== undefined), written);
    for (const it of written) assertEquals(soundKey(it), soundKey(word));
  });
}

const EQUAL_SOUNDS: readonly (readonly [string, string])[] = [
  ["Rua Luiz Souza", "Rua Luis Sousa"],
  ["Rua Theophilo Mello", "Rua Teofilo Melo"],
  ["Rua Conceição", "Rua Conseissão"],
  ["Rua Walter Kaiser", "Rua Valter Caiser"],
  ["Rua Geraldo", "Rua Jeraldo"],
];

for (const [one, other] of EQUAL_SOUNDS) {
  Deno.test(`soundKey of "${one}" is that of "${other}"`, () => {
    assertEquals(soundKey(one), soundKey(other));
  });
}

Deno.test("respellPersons writes the other spelling", () => {
  assertEquals(respellPersons("Luiz de Souza"), "Luis de Sousa");
  assertEquals(respellPersons("Oswaldo Cruz"), "Osvaldo Cruz");
  assertEquals(respellPersons("das Flores"), undefined);
});

const NUMERALS: readonly [name: string, ...others: string[]][] = [
  ["Sete de Setembro", "7 de Setembro"],
  ["7 de Setembro", "sete de Setembro"],
  ["XV de Novembro", "15 de Novembro", "quinze de Novembro"],
  ["Quinze de Novembro", "15 de Novembro", "XV de Novembro"],
  ["Primeiro de Maio", "1 de Maio", "1º de Maio"],
  ["Vinte e Um", "21"],
  ["99"],
  ["João XXIII", "João 23"],
  ["das Flores"],
  ["Projetada 3"],
];

for (const [name, ...others] of NUMERALS) {
  Deno.test(`otherNumerals of "${name}"`, () => {
    assertEquals(otherNumerals(name), others);
  });
}

const FIGURES: readonly (readonly [string, string])[] = [
  ["sete de setembro", "7 de setembro"],
  ["rua vinte e um", "rua 21"],
  ["rua 03", "rua 3"],
  ["rua vinte e projetada", "rua 20 e projetada"],
  ["xv de novembro", "15 de novembro"],
  ["rua x", "rua x"],
];

for (const [words, figures] of FIGURES) {
  Deno.test(`toFigures reads "${words}"`, () => {
    assertEquals(toFigures(words), figures);
  });
}

Deno.test("glueWords leaves blanks out between words", () => {
  assertEquals(resultsOf((random) => glueWords("Rua Olga Rosa", random)), [
    "Rua Olgarosa",
    "Ruaolga Rosa",
    "ruaolgarosa",
  ]);
  assertEquals(glueWords("Rua 13", new Random(7, "")), undefined);
});

Deno.test("abbreviate shortens types and titles, but no last word", () => {
  const streets = resultsOf((random) =>
    abbreviate("Avenida Professor Santa", random)
  );
  for (const street of streets) assert(/^Av\.? Prof\.? Santa$/.test(street!));
  assertEquals(abbreviate("Beira Mar", new Random(7, "")), undefined);
  assertEquals(
    abbreviationKey("Rua Doutor Rosa"),
    abbreviationKey("Rua Doutor Rosa"),
  );
  assert(abbreviationKey("Rua Doutor Rosa") !== abbreviationKey("Rua Rosa"));
});

Deno.test("titles are added to men, dropped and replaced", () => {
  const random = new Random(7, "titles");
  assert(/^\S+ João Rosa$/.test(withTitle("João Rosa", random) ?? ""));
  for (const name of ["João", "Doutor João Rosa", "São João", "das Rosas"]) {
    assertEquals(withTitle(name, random), undefined, name);
  }
  assertEquals(withoutTitle("Doutor João Rosa"), "João Rosa");
  assertEquals(withoutTitle("Doutor Rosa"), undefined);
  for (
    const name of resultsOf((it) => withOtherTitle("Doutor João Rosa", it))
  ) {
    assert(/^(?!Doutor)\S+ João Rosa$/.test(name!), name);
  }
});

Deno.test("initials abbreviate persons of three names", () => {
  assertEquals(initials("Juscelino Kubitschek de Oliveira"), "J K Oliveira");
  const options = { keepsFirst: true };
  assertEquals(initials("Ana Lima Rosa", options), "Ana L Rosa");
  for (const name of ["Ana Rosa", "Doutor Ana Lima Rosa", "Sete de Setembro"]) {
    assertEquals(initials(name), undefined, name);
  }
});

Deno.test("slipCode keeps the digits, or letters that look like them", () => {
  for (const text of resultsOf((random) => slipCode("01310100", random))) {
    const digits = text.replace(/^cep:? /i, "").toUpperCase()
      .replaceAll("O", "0").replaceAll(/[IL]/g, "1").replaceAll(/\D/g, "");
    assertEquals(digits.padStart(8, "0"), "01310100", text);
  }
});

Deno.test("wrongCode changes one digit or swaps two", () => {
  for (const cep of resultsOf((random) => wrongCode("59012340", random))) {
    assert(/^590\d{5}$/.test(cep) && cep !== "59012340", cep);
  }
});

Deno.test("units have no text that could be a street", () => {
  const texts = [
    ...resultsOf(unit),
    ...resultsOf(numberedUnit),
    ...resultsOf(plot),
  ];
  const words = /^(apto|ap|apt\.|apartamento|bloco|bl|sala|sl|loja|casa|cs)$/;
  for (const text of texts) {
    const [first = ""] = text.split(" ");
    assert(
      words.test(first) || /^(\d+º|fundos|fds|frente|sobrado)$/.test(first) ||
        /^(qd\.?|quadra|Q)$/.test(first),
      text,
    );
  }
  for (const text of resultsOf((random) => numberWithUnit("340", random))) {
    assert(/\b340\b/.test(text), text);
  }
});

Deno.test("abbreviateBlock keeps numbers and letters", () => {
  const options = { mayAddType: true };
  const streets = resultsOf((random) =>
    abbreviateBlock("1103 Sul Alameda 9", random, options)
  );
  assert(streets.includes("1103 S alm 9"), `${streets}`);
  assert(streets.includes("quadra 1103 S Al 9"), `${streets}`);
  for (const street of streets) {
    assertEquals(street?.match(/\d+/g), street && ["1103", "9"]);
  }
});

Deno.test("phrases keep the street", () => {
  const street = "Beco da Lua";
  for (const text of resultsOf((random) => leadIn(street, random))) {
    assert(text.endsWith(` ${street}`), text);
    assert(!/\b(na|da) Beco/.test(text), text);
  }
  const spoken = { street, number: "5", neighbourhood: "Sé", city: "Natal" };
  for (const text of resultsOf((random) => chat(spoken, random))) {
    assert(text.includes(street) && text.includes("Natal"), text);
  }
});
