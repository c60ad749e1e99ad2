/** Names of streets and neighbourhoods: identifiers, spelling, glue, titles. */
import { assert, assertEquals } from "@std/assert";
import { findAll, match, search, testRows, useBrazil } from "./_rows.ts";

useBrazil();

// Digits and single letters are exact.
testRows(`
  sure   CLN 308 Bloco C, Brasília/DF -> CLN 308 Bloco C
  sure   CLN 308 Bloco E, Brasília/DF -> CLN 308 Bloco E
  sure   Rua C-149, Goiânia/GO -> Rua C-149
  sure   Rua C 149, Jardim América, Goiânia -> Rua C-149
  sure   rua c149 goiania -> Rua C-149
  sure   Rua C-149, 20, Goiânia/GO -> Rua C-149
  sure   Rua C-14, 9, Goiânia/GO -> Rua C-14
  sure   Rua 149, Goiânia/GO -> Rua 149
  sure   Rua 149, nº 15, Goiânia/GO -> Rua 149
  sure   Avenida T-3, Setor Bueno, Goiânia -> Avenida T-3
  sure   Av T 63 Goiânia -> Avenida T-63
  sure   Rua São Geraldo, Belo Horizonte/MG -> Rua São Geraldo
  sure   Rua São Geraldo, 3, Floresta, Belo Horizonte/MG -> Rua São Geraldo
  sure   Rua São Geraldo 3, 25, Belo Horizonte/MG -> Rua São Geraldo 3
  sure   Rua São Geraldo 3, Jardim Vitória, Belo Horizonte -> Rua São Geraldo 3
  sure   logradouro=Rua São Geraldo 3; cidade=Belo Horizonte -> Rua São Geraldo 3
  sure   logradouro=Rua São Geraldo 4; numero=3; cidade=Belo Horizonte -> Rua São Geraldo 4
  sure   logradouro=Rua São Geraldo; numero=4; cidade=Belo Horizonte -> Rua São Geraldo
  sure   Rua Uruguai - E, Chapecó/SC -> Rua Uruguai - E
  sure   Rua Uruguai - D, 120, Centro, Chapecó/SC -> Rua Uruguai - D
  sure   Rua Uruguai E, 120, Chapecó -> Rua Uruguai - E
  sure   rua uruguai d chapeco -> Rua Uruguai - D
  sure   Av. Nereu Ramos - S, 50, Chapecó/SC -> Avenida Nereu Ramos - S
  sure   logradouro=Rua Uruguai - E; numero=12; cidade=Chapecó; uf=SC -> Rua Uruguai - E
  sure   Rua XV de Novembro, 10, Curitiba/PR -> Rua XV de Novembro|Curitiba/PR
  sure   Rua 15 de Novembro, 10, Curitiba/PR -> Rua XV de Novembro|Curitiba/PR
  sure   Rua Quinze de Novembro, 10, Curitiba/PR -> Rua XV de Novembro|Curitiba/PR
  sure   Rua 24 Maio, Curitiba/PR -> Rua Vinte e Quatro de Maio|Curitiba/PR
  sure   Rua Dom Pedro Segundo, Curitiba/PR -> Rua Dom Pedro II|Curitiba/PR
  sure   Rua C 149 Q 45 L 3 Jardim America Goiania -> Rua C-149
  sure   Rua Uruguai, 120-E, Chapecó/SC -> Rua Uruguai - E
  sure   Rua 24 de Maio, 10, Curitiba/PR -> Rua Vinte e Quatro de Maio|Curitiba/PR
  sure   Rua 7 de Setembro 10 Curitiba -> Rua Sete de Setembro|Curitiba/PR
  sure   Rua Dom Pedro 2, Curitiba/PR -> Rua Dom Pedro II|Curitiba/PR
  likely Rua Dom João Primeiro, 12, Batel, Curitiba/PR -> Rua Dom João I ! logradouro
`);

// "Avluz" is no avenue.
testRows(`
  sure   Rua Avluz, 12, Florianópolis -> Rua Avoluz ! logradouro
`);

// Titles that only the address has, or only the directory.
testRows(`
  sure   Rua Dr. Vicente Machado, 12, Batel, Curitiba/PR -> Rua Vicente Machado ! logradouro
  sure   Rua Prof. Vicente Machado, 12, Curitiba -> Rua Vicente Machado ! logradouro
  sure   Rua Heitor Blum, 12, Florianópolis -> Rua Doutor Heitor Blum ! logradouro
`);

/** Streets that are not there, beside others with another digit or letter. */
const ABSENT: readonly string[] = [
  "CLN 308 Bloco D, Brasília/DF",
  "CLN 309 Bloco C, Brasília/DF",
  "SQS 308 Bloco K, Asa Sul, Brasília/DF",
  "SHIN QI 9 Conjunto 7, Brasília/DF",
  "SHIN QI 5 Conjunto 9, Brasília/DF",
  "SHIN QI 8 Conjunto 5 casa 9, Brasília/DF",
  "EQS 507/508, Brasília/DF",
  "QNM 18 Conjunto C casa 18, Ceilândia, Brasília/DF",
  "Quadra 9 Conjunto G casa 8, Sobradinho, Brasília/DF",
  "1104 Sul Alameda 9, Palmas/TO",
  "1103 Norte Alameda 9, Palmas/TO",
  "1103 Sul Alameda 8, Palmas/TO",
  "Rua C-148, Goiânia/GO",
  "Rua C-1490, Goiânia/GO",
  "Rua 148, Goiânia/GO",
  "Avenida T-36, Goiânia/GO",
  "Rua São Geraldo 5, 10, Belo Horizonte/MG",
  "Rua Uruguai - F, Chapecó/SC",
  "Rua Uruguai, Chapecó/SC",
  "Avenida Nereu Ramos - L, Chapecó/SC",
  "Rua C, Mondubim, Fortaleza/CE",
  "Rua 2, Goiânia/GO",
  "Rua 16, Goiânia/GO",
  "Rua Dom Pedro I, Curitiba/PR",
  "Rua 8 de Setembro, Curitiba/PR",
];

for (const text of ABSENT) {
  Deno.test(`Matcher.match is never sure of another digit or letter: "${text}"`, async () => {
    const { pontuacao, cep, registro, diferencas } = await match(text);
    assert(pontuacao < 0.8, `${registro?.logradouro} ${pontuacao}`);
    if (cep === null) return;
    assert(diferencas.some(({ campo }) => campo === "logradouro"));
  });
}

/** Names without their last digit or letter, and those that have one. */
const INCOMPLETE: readonly (readonly [text: string, ends: string])[] = [
  ["Quadra 8, Sobradinho, Brasília/DF", "Conjunto G;Conjunto H"],
  ["SHIN QI 9, Brasília/DF", "Conjunto 5;Conjunto 6;Conjunto 15"],
  ["SQS 308, Asa Sul, Brasília/DF", "Bloco A;Bloco B"],
  ["Rua Uruguai, Centro, Chapecó/SC", "- D;- E"],
];

for (const [text, ends] of INCOMPLETE) {
  Deno.test(`Matcher.match lists all of ${ends} for "${text}"`, async () => {
    const { cep, pontuacao, outros_ceps } = await match(text);
    const [name] = text.split(",");
    const ceps = ends.split(";")
      .flatMap((end) => findAll(`${name} ${end}`)).map(({ cep }) => cep);
    assert(pontuacao <= 0.5, `${pontuacao}`);
    const listed = [cep, ...outros_ceps];
    assert(ceps.every((it) => listed.includes(it)), listed.join(" "));
  });
}

// The neighbourhood stands in another column.
testRows(`
  sure     logradouro=Rua das Acácias; numero=5; complemento=Barreiro; cidade=Belo Horizonte; uf=MG -> Rua das Acácias|Barreiro
  sure     logradouro=Rua das Acácias; numero=5 Barreiro; cidade=Belo Horizonte; uf=MG -> Rua das Acácias|Barreiro
  sure     logradouro=Rua das Acácias; numero=5; complemento=Barreiro; bairro=Belo Horizonte; cidade=MG -> Rua das Acácias|Barreiro
  doubtful logradouro=Rua das Acácias; numero=5; complemento=Edifício Barreiro; cidade=Belo Horizonte; uf=MG ->
  sure     logradouro=Barreiro; numero=5; bairro=Rua das Acácias; cidade=Belo Horizonte; uf=MG -> Rua das Acácias|Barreiro
  sure     bairro=R. das Acácias, 5, Barreiro; cidade=Belo Horizonte; uf=MG -> Rua das Acácias|Barreiro
`);

// "ll" for "II".
testRows(`
  sure   Rua 9, Jardim Aureny lll, Palmas/TO -> Rua 9
  sure   Rua Dom Pedro ll, Curitiba/PR -> Rua Dom Pedro II|Curitiba/PR
`);

// `B.` before a neighbourhood is no letter of a block.
testRows(`
  doubtful QNM 18 casa 5 - B. Ceilândia Sul - Brasília, DF ->
  sure     QNM 18 Conjunto B casa 5 - B. Ceilândia Sul - Brasília, DF -> QNM 18 Conjunto B
  sure     Rua Vicente Machado, 12 - B. Batel - Curitiba/PR -> Rua Vicente Machado
`);

// An old name that another street has today.
testRows(`
  doubtful Rua São Sebastião, 10, Centro, Florianópolis/SC ->
  sure     Rua São Sebastião, 10, Ribeirão da Ilha, Florianópolis/SC -> Rua São Sebastião
`);

// Short forms of first names.
testRows(`
  sure     Rua Mel. Franco, 12, Nova Brasília, Ji-Paraná/RO -> Rua Manoel Franco
`);

// A name with one number, beside words that name no place.
testRows(`
  sure     João Carlos da Silva, Rua 9, 281, Jardim Aureny III, Palmas/TO -> Rua 9
  sure     Rua 9, 281, Jardim Aureny III, Palmas/TO - portão azul -> Rua 9
  sure     Rua 9, 281, Jardim Aureny III, Palmas/TO, em frente ao posto Shell -> Rua 9
  doubtful Rua 9, 281, Residencial Alvorada, Jardim Aureny III, Palmas/TO ->
  doubtful Rua 9, 281, Jd Europa, Jardim Aureny III, Palmas/TO ->
  doubtful Rua 9, 281, Taquaralto, Palmas/TO ->
`);

// Neighbourhoods `A (B)`, which match `A (B)`, A and B in this order.
testRows(`
  sure   Rua das Acácias, Santo Antônio (Barreiro), Belo Horizonte/MG -> Rua das Acácias|Santo Antônio (Barreiro)
  found  Rua das Acácias, Santo Antônio, Belo Horizonte/MG -> Rua das Acácias|Santo Antônio
  found  Rua das Acácias, 5, Barreiro, Belo Horizonte/MG -> Rua das Acácias|Barreiro
  sure   logradouro=Rua das Acácias; bairro=Santo Antônio (Barreiro); cidade=Belo Horizonte -> Rua das Acácias|Santo Antônio (Barreiro)
  found  logradouro=Rua das Acácias; bairro=Santo Antônio; cidade=Belo Horizonte -> Rua das Acácias|Santo Antônio
  unsure Rua das Acácias, Belo Horizonte/MG -> Rua das Acácias|Barreiro
  sure   Rua Jacarandá, Serra Verde (Venda Nova), Belo Horizonte -> Rua Jacarandá|Serra Verde (Venda Nova)
  sure   Rua Jacarandá, Serra Verde, Belo Horizonte -> Rua Jacarandá|Serra Verde (Venda Nova)
  sure   Rua Jacarandá, Venda Nova, Belo Horizonte -> Rua Jacarandá|Serra Verde (Venda Nova)
  sure   Rua Jacarandá, Serra Verde - Venda Nova, Belo Horizonte -> Rua Jacarandá|Serra Verde (Venda Nova)
  sure   rua jacaranda 30 pampulha belo horizonte mg -> Rua Jacarandá|Lagoinha (Pampulha)
  # Another neighbourhood.
  found  Rua Pau-Brasil, Savassi, Belo Horizonte/MG -> Rua Pau-Brasil ! bairro
  found  Rua Vicente Machado, 12, Água Verde, Curitiba/PR -> Rua Vicente Machado ! bairro
  found  logradouro=Rua Vicente Machado; bairro=Jardins; cidade=Curitiba; uf=PR -> Rua Vicente Machado ! bairro
`);

// Complements that alone tell records apart.
testRows(`
  sure   Rua A (Lot Esplanada Araturi), Mondubim, Fortaleza/CE -> Rua A|(Lot Esplanada Araturi)
  sure   Rua A, Loteamento Esplanada Araturi, Mondubim, Fortaleza/CE -> Rua A|(Lot Esplanada Araturi)
  sure   Rua A (Cj Novo Horizonte), 12, Mondubim, Fortaleza -> Rua A|(Cj Novo Horizonte)
  sure   rua a conjunto novo horizonte mondubim fortaleza -> Rua A|(Cj Novo Horizonte)
  sure   logradouro=Rua A; complemento=Lot Esplanada Araturi; bairro=Mondubim; cidade=Fortaleza -> Rua A|(Lot Esplanada Araturi)
  sure   Rua B, Lot Esplanada Araturi, Fortaleza/CE -> Rua B
  half   Rua A, Mondubim, Fortaleza/CE -> Rua A|Mondubim
  sure   Rua Um (Lot Parque Veraneio), Passaré, Fortaleza/CE -> Rua Um|(Lot Parque Veraneio)
`);

// Names spelt as they sound.
testRows(`
  sure   Rua Luis de Sousa, Curitiba -> Rua Luiz de Souza ! logradouro
  sure   Rua Luys de Soussa, Curitiba -> Rua Luiz de Souza ! logradouro
  sure   Rua Luiz Chavier, Curitiba -> Rua Luís Xavier ! logradouro
  sure   Rua Ecelentissimo Gonsalves, Curitiba -> Rua Excelentíssimo Gonçalves ! logradouro
  sure   Rua Geronimo Cunia, Curitiba -> Rua Jeronymo Cunha ! logradouro
  sure   Rua Joaquin Asunção, Curitiba -> Rua Joaquim Assumpção ! logradouro
  sure   Rua Guilerme Matos, Belo Horizonte -> Rua Guilherme Mattos ! logradouro
  sure   Servidão Tiago Filomeno, Florianópolis -> Servidão Thiago Philomeno ! logradouro
  sure   Rua Coronel Vanderlei Junior, Florianópolis -> Rua Coronel Wanderley Júnior ! logradouro
  sure   Rua Xapada Diamantina, Curitiba -> Rua Chapada Diamantina ! logradouro
  sure   Rua Visente Maxado, Curitiba -> Rua Vicente Machado ! logradouro
`);

// A letter wrong, missing, added or swapped, and words in other forms.
testRows(`
  sure   Rua Vicente Machdo, 12, Batel, Curitiba/PR -> Rua Vicente Machado ! logradouro
  sure   Rua Vicnete Machado, 12, Batel, Curitiba/PR -> Rua Vicente Machado ! logradouro
  sure   Rua Vicemte Machado, 12, Batel, Curitiba/PR -> Rua Vicente Machado ! logradouro
  found  Rua Barrão de Aratamha, Benfica, Fortaleza/CE -> Rua Barão de Aratanha ! logradouro
  sure   RUA VICENTE MACHADO, 12, BATEL, CURITIBA, PR -> Rua Vicente Machado
  sure   r vicente machado 12 batel curitiba pr -> Rua Vicente Machado
  found  Machado Vicente, rua, 12, Curitiba -> Rua Vicente Machado
  sure   Curitiba/PR, Batel, Rua Vicente Machado, 12 -> Rua Vicente Machado
  found  Rua V. Machado, 12, Batel, Curitiba/PR -> Rua Vicente Machado ! logradouro
  found  Avenida Vicente Machado, 12, Batel, Curitiba/PR -> Rua Vicente Machado ! logradouro
  sure   Vicente Machado, 12, Batel, Curitiba/PR -> Rua Vicente Machado
  sure   Av Beira Mar, Meireles, Fortaleza -> Avenida Beira-Mar
  found  Avenida Beiramar, Meireles, Fortaleza -> Avenida Beira-Mar
  sure   Rua Sta Rita, Curitiba -> Rua Santa Rita|Curitiba/PR
  sure   Rua S. João, 10, Curitiba -> Rua São João|Curitiba/PR
  sure   Rua Mal. Deodoro, Curitiba -> Rua Marechal Deodoro|Curitiba/PR
  sure   Trav. das Palmeiras, 12, Curitiba -> Travessa das Palmeiras|Curitiba/PR
  sure   Rua Pe Anchieta 12 Curitiba -> Rua Padre Anchieta|Curitiba/PR
  sure   Rua Flores, Curitiba -> Rua das Flores|Curitiba/PR
  sure   Rua Manuel Ribas, Curitiba -> Rua Manoel Ribas|Curitiba/PR ! logradouro
  sure   Rua Pau Brasil, Belo Horizonte -> Rua Pau-Brasil
`);

// Titles: one more or less costs little.
testRows(`
  sure   Rua João Goulart, Florianópolis/SC -> Rua Presidente João Goulart ! logradouro
  sure   Rua Pres. João Goulart, Coqueiros, Florianópolis -> Rua Presidente João Goulart
  sure   Rua Dr. Heitor Blum, Florianópolis -> Rua Doutor Heitor Blum
  sure   Rua Heitor Blum, Estreito, Florianópolis -> Rua Doutor Heitor Blum ! logradouro
  found  Rua Prof. Heitor Blum, Estreito, Florianópolis -> Rua Doutor Heitor Blum ! logradouro
  found  Rua Doutor Vicente Machado, Batel, Curitiba -> Rua Vicente Machado ! logradouro
  # In another neighbourhood, that one may be another person, or have its name
  # no more.
  doubtful Rua do Antigo Engenho, 12, Coqueiros, Florianópolis/SC ->
  sure   Rua do Antigo Engenho, 12, Itacorubi, Florianópolis/SC -> Rua das Camélias
  doubtful Rua Doutor Vicente Machado, 12, Parque Couto, Curitiba/PR ->
  sure   Rua Cel Wanderley Jr, Florianópolis -> Rua Coronel Wanderley Júnior
`);

// Names of which a street has several.
testRows(`
  sure   SC-401, Florianópolis -> Rodovia José Carlos Daux
  sure   Rodovia SC-401, 5000, Florianópolis/SC -> Rodovia José Carlos Daux
  sure   rod sc 401 florianopolis -> Rodovia José Carlos Daux
  sure   Rodovia José Carlos Daux, Florianópolis -> Rodovia José Carlos Daux
  sure   SC-404, Florianópolis/SC -> Rodovia Admar Gonzaga
  sure   Rua do Antigo Engenho, Florianópolis -> Rua das Camélias
  # A current name comes before an old one.
  found  Rua São Sebastião, Florianópolis/SC -> Rua São Sebastião
  found  Rua São Sebastião, Centro, Florianópolis/SC -> Rua Bocaiúva
  sure   Rua Bocaiúva, Florianópolis/SC -> Rua Bocaiúva
  # A large user, and the street that it is in.
  sure   Universidade do Planalto, Florianópolis -> Rua Felipe Schmidt, 200
  sure   Banco Aurora, Avenida Paulo Fontes, 10, Florianópolis -> Avenida Paulo Fontes, 10
  found  Avenida Paulo Fontes, 10, Centro, Florianópolis -> Avenida Paulo Fontes
  sure   Avenida Paulo Fontes, 200, Centro, Florianópolis -> Avenida Paulo Fontes
`);

// Words without the spaces between them.
testRows(`
  found  ruafelipeschmidt 340 florianopolis -> Rua Felipe Schmidt|até 500/501
  found  rua felipeschmidt, 340, florianopolis -> Rua Felipe Schmidt|até 500/501
  sure   sc401 florianopolis -> Rodovia José Carlos Daux
  found  avpaulofontes 200 florianopolis -> Avenida Paulo Fontes
  sure   Rua Vicente Machado,12,Batel,Curitiba,PR -> Rua Vicente Machado
  found  ruaVicenteMachado, 12, Curitiba -> Rua Vicente Machado
`);

// Words that no street has, or that are not those of a street.
testRows(`
  unsure Rua Zulmira Inexistente, 5, Curitiba/PR ->
  unsure Rua Presidente Zulmira, 5, Florianópolis/SC ->
  unsure Rua Vicente Zulmira, 5, Curitiba/PR ->
  unsure Rua Vicente Pires, 5, Curitiba/PR ->
  unsure Rua São Paulo, 12, Curitiba/PR ->
  unsure Rua Curitiba, 12, Florianópolis/SC ->
  found  Rua Vicente Machado esquina com Rua Chapada Diamantina, Curitiba -> Rua Vicente Machado
  unsure Avenida Inexistente, Palmas/TO ->
  unsure logradouro=Rua Zulmira; bairro=Batel; cidade=Curitiba ->
  unsure xyz ->
  unsure  ->
  unsure  ,;-/()  ->
`);

Deno.test("Matcher.match lists a difference in the street in the words of the person", async () => {
  const { diferencas } = await match({
    logradouro: "Av. Visente Maxado",
    bairro: "Batel",
    cidade: "Curitiba",
  });
  assertEquals(diferencas, [{
    campo: "logradouro",
    informado: "Av. Visente Maxado",
    encontrado: "Rua Vicente Machado",
  }]);
});

/** Texts, and the streets that a search must list in this order. */
const RANKS: readonly (readonly [text: string, streets: readonly string[]])[] =
  [
    // A whole word comes before its completion.
    ["rua da luz", ["Rua da Luz", "Rua Santa Luzia"]],
    ["rua vicente m", ["Rua Vicente Machado"]],
    // A match of all words by their sound comes before an exact one of some.
    ["rua luis sousa curitiba", ["Rua Luiz de Souza", "Rua Luís Xavier"]],
    ["sao sebastiao florianopolis", ["Rua São Sebastião", "Rua Bocaiúva"]],
    ["antigo engenho", ["Rua das Camélias", "Rua do Antigo Moinho"]],
    // A block and its town come before a street of the town's name.
    [
      "quadra 8 conjunto g sobradinho",
      ["Quadra 8 Conjunto G", "Rua Sobradinho"],
    ],
    ["rua sobradinho", ["Rua Sobradinho", "Quadra 8 Conjunto G"]],
  ];

for (const [text, streets] of RANKS) {
  Deno.test(`Store.search lists ${streets.join(", then ")} for "${text}"`, async () => {
    const found = (await search(text)).map(({ logradouro }) => logradouro);
    const ranks = streets.map((street) => found.indexOf(street));
    assertEquals(ranks[0], 0, found.join("; "));
    const listed = ranks.filter((rank) => rank >= 0);
    assertEquals(listed, listed.toSorted((a, b) => a - b), found.join("; "));
  });
}

/** Streets of which every beginning is answered while it is typed. */
const TYPED = [
  "Rua Felipe Schmidt Florianópolis",
  "SHIN QI 9 Conjunto 5 Brasília",
  "1103 Sul Alameda 9 Palmas",
  "Rua C-149 Goiânia",
  "Rodovia José Carlos Daux",
];

for (const text of TYPED) {
  Deno.test(`Store.search answers every beginning of "${text}"`, async () => {
    for (let end = 3; end <= text.length; end++) {
      const typed = text.slice(0, end);
      assert((await search(typed)).length > 0, typed);
    }
  });
}

Deno.test("Store.search lists all streets of a city beside general CEPs only for their names", async () => {
  const found = await search("Rua Jacarandá, Belo Horizonte", 100);
  assertEquals(
    found.slice(0, 2).map(({ cep }) => cep).toSorted(),
    findAll("Rua Jacarandá").map(({ cep }) => cep).toSorted(),
  );
});

/** Texts without a word of any record. */
const NONSENSE = ["zzzzqqqq xxyyww", "zzzzqqqq", "xxyyww", "qwkjzx", "ßđŧ"];

for (const text of NONSENSE) {
  Deno.test(`Store.search finds nothing for "${text}"`, async () => {
    assertEquals(await search(text), []);
  });
}
