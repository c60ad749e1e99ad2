/** Cities, states and general CEPs. */
import { assert, assertEquals } from "@std/assert";
import { openCities } from "./_brazil.ts";
import { match, search, testRows, useBrazil } from "./_rows.ts";

useBrazil();

// The general CEP of a place never confirms a street.
testRows(`
  sure   Lagoa Bonita/SP -> |Lagoa Bonita/SP
  sure   Lagoa Bonita - SP -> |Lagoa Bonita/SP
  sure   cidade=Lagoa Bonita; uf=SP -> |Lagoa Bonita/SP
  unsure Rua do Sol, 5, Centro, Lagoa Bonita/SP -> |Lagoa Bonita/SP
  unsure Rua Tiradentes, 5, Lagoa Bonita/SP -> |Lagoa Bonita/SP
  unsure Rua A, Lagoa Bonita/SP -> |Lagoa Bonita/SP
  unsure logradouro=Rua do Sol; cidade=Lagoa Bonita; uf=SP -> |Lagoa Bonita/SP
  # Unless the address gives that very CEP.
  found  Rua do Sol, 5, Lagoa Bonita/SP, 19900-000 -> |Lagoa Bonita/SP ! logradouro
  sure   19900-000 -> |Lagoa Bonita/SP
  # So does that of a village, which people call by its city.
  found  Rua do Sol, 5, Serra Clara/SP, 19911-000 -> |Vila Esperança/SP ! logradouro
  found  logradouro=Rua do Sol; numero=5; cidade=Serra Clara; uf=SP; cep=19911-000 -> |Vila Esperança/SP ! logradouro
  # A village, and the town around it.
  sure   Vila Esperança, Serra Clara/SP -> |Vila Esperança/SP
  sure   Serra Clara/SP -> |Serra Clara/SP
  unsure Rua do Sol, Vila Esperança, Serra Clara/SP -> |Vila Esperança/SP
  # A city that has no general CEP.
  unsure São Paulo/SP ->
  unsure Florianópolis ->
  unsure cidade=Brasília; uf=DF ->
`);

// Streets and neighbourhoods with the name of a state, which is no state there.
testRows(`
  found  Praça da Sé -> Praça da Sé
  sure   Praça da Sé, São Paulo -> Praça da Sé
  sure   Praça da Sé, 10, Sé, São Paulo/SP -> Praça da Sé
  found  Rua Rio Grande do Norte -> Rua Rio Grande do Norte
  sure   Avenida Pará, 5, Vila Goiás, São Paulo -> Avenida Pará
  sure   logradouro=Avenida Pará; bairro=Vila Goiás; cep=01900045 -> Avenida Pará
  sure   logradouro=Avenida Pará; bairro=Vila Goiás; cidade=São Paulo -> Avenida Pará
  sure   logradouro=Rua Rio Grande do Norte; bairro=Setor Paraíba; cidade=São Paulo -> Rua Rio Grande do Norte
  sure   logradouro=Sergipe; bairro=Consolação; cidade=São Paulo -> Rua Sergipe
`);

for (
  const [text, street] of [
    ["praça da sé", "Praça da Sé"],
    ["praca sé", "Praça da Sé"],
    ["rua sergipe", "Rua Sergipe"],
    ["sergipe", "Rua Sergipe"],
    ["av para", "Avenida Pará"],
    ["rua goiás", "Rua Goiás"],
    ["rua amazonas", "Rua Amazonas"],
    ["rua rio grande do norte", "Rua Rio Grande do Norte"],
  ] as const
) {
  Deno.test(`Store.search lists ${street} first for "${text}" in a city`, async () => {
    for (
      const filters of [{ city: "São Paulo" }, { city: "São Paulo", uf: "SP" }]
    ) {
      const [first] = await search(text, 10, filters);
      assertEquals([first?.logradouro, first?.uf], [street, "SP"]);
    }
  });
}

// Cities of the same or a similar name.
testRows(`
  sure   São Domingos/GO -> |São Domingos/GO
  sure   São Domingos - Sergipe -> |São Domingos/SE
  sure   cidade=São Domingos; uf=SC -> |São Domingos/SC
  unsure São Domingos -> |São Domingos/BA
  unsure Rua das Flores, 10, São Domingos ->
  found  Fortaleza/AP -> |Fortaleza/AP
  sure   Fortaleza, Macapá/AP -> |Fortaleza/AP
  unsure Fortaleza/CE ->
  sure   logradouro=QNM 18 Conjunto B; cidade=Ceilândia; uf=DF -> QNM 18 Conjunto B
  sure   logradouro=QNM 18 Conjunto B; bairro=Ceilândia; cidade=Brasília; uf=Distrito Federal -> QNM 18 Conjunto B
  sure   Quadra 8 Conjunto G, Sobradinho, DF -> Quadra 8 Conjunto G
  sure   logradouro=Felipe Schmidt; numero=340; cidade=Florianopolis; uf=santa catarina -> Rua Felipe Schmidt|até 500/501
  # The state stands in both columns.
  sure   logradouro=Felipe Schmidt; numero=340; cidade=Florianópolis - SC; uf=SC -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Felipe Schmidt; numero=340; cidade=Florianópolis/SC; uf=SC -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Felipe Schmidt; numero=340; cidade=Florianópolis (SC); uf=SC -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Felipe Schmidt; numero=340; cidade=Florianópolis, SC; uf=SC -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Felipe Schmidt; numero=340; cidade=FLORIANOPOLIS SC; uf=SC -> Rua Felipe Schmidt|até 500/501
  doubtful logradouro=Felipe Schmidt; numero=340; cidade=Florianópolis - PR; uf=SC ->
  sure   Rua Goiás, 12, Fortaleza - CE -> Rua Goiás|Fortaleza/CE
  sure   Avenida Brasil, Goiânia -> Avenida Brasil|Goiânia/GO
  unsure Rua das Flores ->
  sure   Rua Barão de Aratanha, 12, Fortaleza -> Rua Barão de Aratanha
  sure   Rua Barão de Aratanha, Fortaleza - CE -> Rua Barão de Aratanha
  sure   Rua Tiradentes, 5, Fortaleza -> Rua Tiradentes|Fortaleza/CE
  unsure Rua do Sol, 5, Fortaleza ->
  sure   Floriano -> |Floriano/PI
  sure   Floriano/PI -> |Floriano/PI
  sure   Rua Floriano Peixoto, Curitiba -> Rua Floriano Peixoto|Curitiba/PR
  unsure Rua Felipe Schmidt, 40, Floriano/PI ->
  sure   Rua Felipe Schmidt, 40, Florianopolis -> Rua Felipe Schmidt|até 500/501
`);

// Cities whose names end in that of a state.
testRows(`
  sure   Rua Abelardo Braun, 12, Ji-Paraná -> Rua Abelardo Braun
  sure   Rua Abelardo Braun, 12, Ji-Paraná/RO -> Rua Abelardo Braun
  sure   Rua Raimundo Nonato, Água Doce do Maranhão -> Rua Raimundo Nonato
  sure   Rua Raimundo Nonato Água Doce do Maranhão -> Rua Raimundo Nonato
  sure   Rua Berlim, Campo Largo, Paraná -> Rua Berlim
  sure   Rua Berlim, Campo Largo do Paraná -> Rua Berlim
`);

// A street, neighbourhood and city that agree in one other state.
testRows(`
  likely Rua Felipe Schmidt, 40, Centro, Florianópolis/SP -> Rua Felipe Schmidt|até 500/501 ! uf
  likely Rua Jacarandá, 40, Serra Verde, Belo Horizonte - RJ -> Rua Jacarandá|Serra Verde (Venda Nova) ! uf
  likely logradouro=Rua Epitácio Cavalcanti; bairro=Tambaú; cidade=João Pessoa; uf=PE -> Rua Epitácio Cavalcanti ! uf
  likely Lagoa Bonita/PR -> |Lagoa Bonita/SP ! uf
`);

testRows(`
  sure   Felipe Schmidt, 340, Floripa -> Rua Felipe Schmidt|até 500/501
  sure   rua pau brasil, serra verde, bh -> Rua Pau-Brasil
  sure   rua epitacio cavalcanti jampa -> Rua Epitácio Cavalcanti
  sure   rua dos andradas velhos, poa -> Rua dos Andradas Velhos
  sure   rua augusto stellfeld em sampa -> Rua Augusto Stellfeld
  sure   EQS 509/510, BSB -> EQS 509/510
  sure   rua vicente machado, cwb -> Rua Vicente Machado
  unsure rua joao pessoa, floripa ->
`);

testRows(`
  sure   qual o cep da rua felipe schmidt 340 em florianopolis? -> Rua Felipe Schmidt|até 500/501
  sure   Boa tarde! Moro na Rua Vicente Machado, 12, Batel, Curitiba. Obrigado -> Rua Vicente Machado
  sure   pode mandar na rua vicente machado 12 bairro batel em curitiba ok -> Rua Vicente Machado
  sure   manda pra rua felipe schmidt n 340 no centro em florianópolis -sc valeu -> Rua Felipe Schmidt|até 500/501
  sure   entrega na rua vicente machado 12 em curitiba -> Rua Vicente Machado
  sure   preciso do cep da Avenida T-63, Goiânia -> Avenida T-63
  sure   Endereço: Rua Vicente Machado, Número: 12, Bairro: Batel, Cidade: Curitiba, UF: PR -> Rua Vicente Machado
  found  Rua Vicente Machado, 12, perto da padaria, Batel, Curitiba -> Rua Vicente Machado
`);

/** Texts that name a place, and where the first result lies. */
const PLACES: readonly (readonly [text: string, place: string])[] = [
  ["Fortaleza", "Fortaleza/CE"],
  ["Florianópolis", "Florianópolis/SC"],
  ["floripa", "Florianópolis/SC"],
  ["Plano Diretor Sul", "Palmas/TO"],
  ["Goiânia", "Goiânia/GO"],
];

for (const [text, place] of PLACES) {
  Deno.test(`Store.search lists records of ${place} first for "${text}"`, async () => {
    const [first] = await search(text);
    assertEquals(first && `${first.cidade}/${first.uf}`, place);
  });
}

Deno.test("Store.search lists the general CEP of a town that a text equals first", async () => {
  for (const text of ["Floriano", "lagoa bonita", "Serra Clara"]) {
    const [first] = await search(text);
    assertEquals(first?.tipo_origem, "localidade", text);
  }
});

Deno.test("Store.search limits results to the neighbourhood with the whole name", async () => {
  const found = await search("Rua das Acácias", 10, {
    uf: "MG",
    city: "Belo Horizonte",
    neighbourhood: "Santo Antônio (Barreiro)",
  });
  assertEquals(found.map(({ cep }) => cep), ["30900025"]);
});

Deno.test("Store.search finds a neighbourhood among thousands that share a word", async () => {
  const store = await openCities(
    Array.from({ length: 4_500 }, (_, i) => [
      `Vila ${i}/SP`,
      `0${1_000_000 + i} | Rua das Acácias | Centro
       0${2_000_000 + i} | Rua das Acácias | Centro Histórico`,
    ]),
  );
  const { data } = (await store.search({
    text: "Rua das Acácias",
    limit: 10,
    city: "Vila 4499",
    neighbourhood: "Centro Histórico",
  }))!;
  store.close();
  assertEquals(data.map(({ cep }) => cep), ["02004499"]);
});

Deno.test("Matcher.match lists the namesakes of a city without a state", async () => {
  const { outros_ceps } = await match("São Domingos");
  assertEquals(
    outros_ceps.toSorted(),
    ["48950000", "49950000", "73900000", "89950000"],
  );
});

Deno.test("Matcher.match reports another city, below 0.8", async () => {
  const found = await match("Rua Felipe Schmidt, 40, Centro, Curitiba/PR");
  assert(found.pontuacao < 0.8);
  if (found.cep !== null) {
    const campos = found.diferencas.map(({ campo }) => campo);
    assert(campos.includes("cidade"));
  }
});
