/** Names of the CNEFE as people write them. */
import fc from "fast-check";
import data from "../../../../cep/import/cnefe/accents.json" with {
  type: "json",
};
import { assert, assertEquals } from "@std/assert";
import {
  accented,
  titleCase,
  unaccented,
} from "../../../../cep/import/cnefe/names.ts";
import { municipalityNames } from "../../../../cep/record/municipality_names.ts";
import { CODE_POINT } from "../../_characters.ts";

const NAMES: readonly (readonly [name: string, written: string])[] = [
  ["SAO JOSE DOS CAMPOS", "São José dos Campos"],
  ["DOUTOR ARNALDO", "Doutor Arnaldo"],
  ["VINTE E TRES DE MAIO", "Vinte e Três de Maio"],
  ["QUINZE B", "Quinze B"],
  ["DOM PEDRO II", "Dom Pedro II"],
  ["XV DE NOVEMBRO", "XV de Novembro"],
  ["BR 101", "BR 101"],
  ["SP 270 KM 12", "SP 270 KM 12"],
  ["PE DE SERRA", "Pé de Serra"],
  ["OLHO D AGUA", "Olho d'Água"],
  ["OLHO D'AGUA", "Olho d'Água"],
  ["SANTA BARBARA D OESTE", "Santa Bárbara d'Oeste"],
  ["D AVILA", "D'Ávila"],
  ["RUA D", "Rua D"],
  ["SANT ANA", "Sant'Ana"],
  ["GUAJARA-MIRIM", "Guajará-Mirim"],
  ["PARA", "Pará"],
  ["ESTADO DO PARA", "Estado do Pará"],
  ["CAMINHO PARA O MAR", "Caminho Para o Mar"],
  ["MARQUES DE SAO VICENTE", "Marquês de São Vicente"],
  ["JOAO MARQUES DE SOUZA", "João Marques de Souza"],
  ["BEM TE VI", "Bem Te Vi"],
  ["JOAO VI", "João VI"],
  ["A", "A"],
  ["PROJETADA A", "Projetada A"],
  ["BLOCO E LOTE 3A", "Bloco E Lote 3A"],
  ["SQN 208", "SQN 208"],
  ["SEM DENOMINACAO", "Sem Denominação"],
  ["IRMAOS GONCALVES", "Irmãos Gonçalves"],
  ["DAS ACACIAS", "Das Acácias"],
  ["FRANCA", "Franca"],
  ["SECRETARIA", "Secretaria"],
  ["", ""],
  [" - ", " - "],
];

for (const [name, written] of NAMES) {
  Deno.test(`titleCase writes "${name}" as "${written}"`, () => {
    assertEquals(titleCase(name), written);
  });
}

Deno.test("titleCase keeps a leading particle in lower case after other words", () => {
  const names = ["DA SE", "DE PORTO ALEGRE", "DO SABIA", "D AGUA", "E", "RUA"];
  assertEquals(names.map((it) => titleCase(it, { continues: true })), [
    "da Sé",
    "de Porto Alegre",
    "do Sabiá",
    "d'Água",
    "E",
    "Rua",
  ]);
});

/** Words of the list, particles, abbreviations and letters in capitals. */
const WORD = fc.oneof(
  fc.constantFrom(...data.words.join(" ").split(" ")).map((it) =>
    unaccented(it).toUpperCase()
  ),
  fc.constantFrom(...data.plain.join(" ").toUpperCase().split(" ")),
  fc.constantFrom(
    ..."A E O D DA DE DO SE PARA SANT AGUA II BR SQN 3A".split(" "),
  ),
  fc.stringMatching(/^[A-Z0-9]{1,12}$/),
  fc.stringMatching(/^[ -_]{1,4}$/),
);
const NAME = fc.tuple(
  fc.array(WORD, { maxLength: 8 }),
  fc.constantFrom(" ", "  "),
)
  .map(([words, blank]) => words.join(blank));

/** The name in capitals without accents; an apostrophe was a blank. */
function capitals(name: string): string {
  return unaccented(name).toUpperCase().replaceAll("'", " ");
}

Deno.test("titleCase changes nothing but letter case, accents and apostrophes", () => {
  fc.assert(fc.property(NAME, fc.boolean(), (name, continues) => {
    assertEquals(capitals(titleCase(name, { continues })), capitals(name));
  }));
});

Deno.test("titleCase keeps a name that it has written", () => {
  fc.assert(fc.property(NAME, fc.boolean(), (name, continues) => {
    const once = titleCase(name, { continues });
    assertEquals(titleCase(once, { continues }), once);
  }));
});

Deno.test("titleCase accepts any text", () => {
  fc.assert(fc.property(fc.string({ unit: CODE_POINT }), (text) => {
    assertEquals(typeof titleCase(text), "string");
  }));
});

Deno.test("titleCase remembers a bounded number of words", () => {
  for (let i = 0; i < 250_000; i++) titleCase(`X${i.toString(36)}Y`);
  assertEquals(titleCase("SAO JOAO"), "São João");
});

Deno.test("titleCase restores the names of nearly all municipalities", () => {
  const names = [...municipalityNames().values()];
  const lost = names.filter((name) =>
    titleCase(capitals(name)).toLowerCase() !== name.toLowerCase()
  );
  assert(lost.length < names.length * 0.02, `${lost.length}: ${lost}`);
});

Deno.test("accented changes only accents", () => {
  fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
    assertEquals(unaccented(accented(word)), word);
  }));
});

Deno.test("accents.json lists each word once, with an accent, in order", () => {
  const words = data.words.join(" ").split(" ");
  for (const word of words) {
    assert(word === word.toLowerCase() && unaccented(word) !== word, word);
  }
  const keys = words.map(unaccented);
  assertEquals(keys, [...new Set(keys)].toSorted());
  const plain = data.plain.join(" ").split(" ");
  assertEquals(plain, [...new Set(plain)].toSorted());
  for (const word of plain) assert(!keys.includes(word), word);
});

/** Well-known names as they are written, with and without accents. */
const WELL_KNOWN = `
Mares, Roma, Nova Roma, Paris, Dos Mares, Estácio de Sá, Mem de Sá,
Avenida Sá e Benevides, Sá, Cora Coralina, Bons Ares, Canta Galo, Marco Zero,
Marco Aurélio, Primeiro de Março, Trinta e Um de Março, Opala, Normandia,
Capitania, Epifania, Bacia, Pavia, Chã Grande, Chã Preta, Viaduto do Chá,
Propriá, Sento Sé, Praça da Sé, Maré, Bom Jesus da Lapa, Salvador, Rio Vermelho,
Barra, Ondina, Graça, Vitória, Canela, Nazaré, Brotas, Federação, Itaigara,
Pituba, Amaralina, Boca do Rio, Itapuã, São Marcos, Pernambués, Imbuí, Piatã,
Pirajá, Valéria, Tororó, Saúde, Comércio, Santo Antônio Além do Carmo,
Caixa d'Água, Pau Miúdo, São Paulo, Sé, Consolação, Santa Cecília, Brás,
Tatuapé, Butantã, Jaçanã, Tremembé, Freguesia do Ó, Jaraguá, Brasilândia, Limão,
Cangaíba, São Miguel, São Mateus, Sacomã, Grajaú, Capão Redondo, Jardim Ângela,
Vila Sônia, Jaguaré, República, Higienópolis, Aclimação, Vila Olímpia, Maracanã,
Méier, Jacarepaguá, São Cristóvão, Irajá, Paquetá, Gávea, Jardim Botânico,
Humaitá, Glória, Estácio, Andaraí, Inhaúma, Funcionários, Uberlândia,
Divinópolis, Poços de Caldas, Três Corações, Sabará, Araxá, Unaí, Januária,
Viçosa, Muriaé, Ubá, Manhuaçu, Teófilo Otoni, Gravataí, Viamão, São Leopoldo,
Bagé, Guaíba, Bento Gonçalves, Ijuí, Tramandaí, Florianópolis, Chapecó, Itajaí,
Criciúma, Balneário Camboriú, Jaraguá do Sul, Tubarão, Concórdia, Maringá,
Foz do Iguaçu, Paranaguá, Campo Mourão, Paranavaí, Santo André,
São Bernardo do Campo, Ribeirão Preto, Mauá, São José dos Campos, Jundiaí,
Carapicuíba, São Vicente, Guarujá, Taubaté, Taboão da Serra, Sumaré, São Carlos,
Marília, Jacareí, Araçatuba, Hortolândia, Mogi Guaçu, Bragança Paulista, Avaré,
Jaú, Tupã, Fernandópolis, Peruíbe, Itanhaém, Mongaguá, Cubatão, São Sebastião,
Guaratinguetá, Paulínia, Lindóia, Tatuí, Jaboatão dos Guararapes,
Vitória de Santo Antão, Maracanaú, Quixadá, Canindé, Mossoró, Ceará-Mirim,
Caicó, João Pessoa, Tambaú, Manaíra, Maceió, Pajuçara, Estância, Parnaíba,
São Luís, Codó, Açailândia, Belém, Santarém, Marabá, Cametá, Bragança, Tucuruí,
Macapá, Tefé, Rorainópolis, Caracaraí, Ji-Paraná, Araguaína,
Paraíso do Tocantins, Goiânia, Aparecida de Goiânia, Anápolis, Luziânia,
Águas Lindas de Goiás, Valparaíso de Goiás, Catalão, Jataí, Cuiabá,
Várzea Grande, Rondonópolis, Tangará da Serra, Cáceres, Três Lagoas, Corumbá,
Ponta Porã, Naviraí, Brasília, Ceilândia, Guará, Águas Claras, Nova Iguaçu,
São Gonçalo, Niterói, São João de Meriti, Petrópolis, Macaé, Magé, Itaboraí,
Teresópolis, Nilópolis, Maricá, Itaguaí, Três Rios, Valença, Búzios, Ilhéus,
Vitória da Conquista, Camaçari, Jequié, Simões Filho, Eunápolis,
Santo Antônio de Jesus, Getúlio Vargas, Dom João VI, Barão do Rio Branco,
José Bonifácio, Visconde de Mauá, Almirante Tamandaré, Gonçalves Dias,
Cecília Meireles, José de Alencar, Nilo Peçanha, Epitácio Pessoa,
Washington Luís, João Goulart, Médici, Padre Cícero, Nossa Senhora de Fátima,
São Francisco de Assis, Santa Rita de Cássia, São Judas Tadeu, São Jorge,
São Benedito, Sagrado Coração de Jesus, Espírito Santo, Vinte e Cinco de Março,
Rio Tietê, Rio São Francisco, Rio Paraná, Dos Ipês, Dos Lírios, Das Orquídeas,
Das Hortênsias, Das Camélias, Dos Girassóis, Das Magnólias, Dos Jatobás,
Dos Jacarandás, Dos Carijós, Dos Aimorés, Dos Pássaros, Sabiá, Dos Sabiás,
Dos Canários, Curió, Gavião, Bolívia, Colômbia, México, Canadá, Itália, Bélgica,
Suíça, Áustria, Polônia, Rússia, Ucrânia, Grécia, Líbano, Síria, Moçambique,
Índia, Japão, Austrália, Nova Zelândia, Évora, Florença, Nápoles, Milão, Gênova,
Pádua, Mântua, Tóquio, Bogotá, Montevidéu, Assunção, Jerusalém, Jericó, Canaã,
Jordão, Líbia, Romênia, Bulgária, Suécia, Finlândia, Escócia, Islândia, Estônia,
Letônia, Lituânia, Croácia, Sérvia, Eslovênia, Albânia, Armênia, Geórgia,
Mônaco, Panamá, Nicarágua, Manágua, Nigéria, Zâmbia, Etiópia, Somália, Tunísia,
Argélia, Pérsia, Arábia, Babilônia, Fenícia, Mercúrio, Vênus, Júpiter, Plutão,
Órion, Andrômeda, Sagitário, Aquário, Capricórnio, Gêmeos, Áries, Câncer, Leão,
Escorpião, Topázio, Ágata, Ônix, Pérola, Água Marinha, Alumínio, Níquel,
Titânio, Urânio, Antônio Carlos, João Batista, José Maria, Maria José,
Luís Carlos, Sérgio, Cláudio, Cláudia, Flávio, Fábio, Márcio, Márcia, Lúcia,
Patrícia, Letícia, Vinícius, Júlio César, Mário, Otávio, Rogério, Vânia, Sônia,
Mônica, Verônica, Bárbara, Débora, Jéssica, Inês, Andréa, Rosângela, Ângela,
Conceição, Anunciação, Sebastião, Simão, Adão, Estêvão, Damião, Julião, Salomão,
Abraão, Jacó, Moisés, Josué, Isaías, Tomé, Araújo, Gonçalves, Guimarães,
Magalhães, Simões, Falcão, Leitão, Brandão, Galvão, Aragão, Queirós, Bulhões,
Camões, Durães, Pavão, Stella Maris, Bonfim, Massaranduba, Cajazeiras,
Saramandaia, Patamares, Cosme de Farias, Pelourinho, Bela Vista, Ipiranga,
Pinheiros, Casa Verde, Perus, Itaquera, Vila Prudente, Socorro, Raposo Tavares,
Brooklin, Leblon, Laranjeiras, Campo Grande, Ramos, Realengo, Lagoa,
Rio Comprido, Cascadura, Belo Horizonte, Contagem, Montes Claros, Pouso Alegre,
Itabira, Diamantina, Formiga, Pelotas, Passo Fundo, Sapiranga, Cruz Alta,
Blumenau, Ponta Grossa, Toledo, Campinas, Santos, Itaquaquecetuba, Suzano,
Americana, Rio Claro, Pindamonhangaba, Catanduva, Lins, Andradina, Ilhabela,
Aparecida, Itatiba, Itapetininga, Caruaru, Camaragibe, Fortaleza, Crato,
Aldeota, Natal, Patos, Rio Largo, Itabaiana, Piripiri, Bacabal, Parauapebas,
Paragominas, Parintins, Tabatinga, Vilhena, Cruzeiro do Sul, Rio Verde,
Senador Canedo, Sorriso, Gama, Serra, Colatina, Volta Redonda, Barra Mansa,
Araruama, Juazeiro, Barreiras, Guanambi, Sete de Setembro, Santos Dumont,
Princesa Isabel, Castro Alves, Villa Lobos, Anita Garibaldi, Graciliano Ramos,
Rodrigues Alves, Gaspar Dutra, Santa Luzia, Sete de Abril, Vinte e Um de Abril,
Das Palmeiras, Das Margaridas, Das Mangueiras, Dos Guaranis, Beija Flor,
Argentina, Peru, Portugal, Holanda, Marrocos, Porto, Barcelona, Berlim, Turim,
Troia, Quito, Santiago, Hungria, Andorra, Haiti, El Salvador, Cartago, Urano,
Libra, Safira, Cristal, Prata, Cobre, Luciana, Elias, Mateus, Paulo,
Albuquerque, Moraes, Pereira, Bandeira, Macedo, Barros, Nunes, Rodrigues,
Tavares, Sampaio
`;

for (const name of WELL_KNOWN.trim().split(/,\s+/)) {
  const capitals = unaccented(name).toUpperCase().replaceAll("'", " ");
  Deno.test(`titleCase writes ${capitals} as ${name}`, () => {
    assertEquals(titleCase(capitals), name);
  });
}

for (
  const [name, written] of [
    ["VINTE E DOIS PA", "Vinte e Dois PA"],
    ["QUARENTA E OITO SE", "Quarenta e Oito SE"],
    ["TRES JP", "Três JP"],
    ["22 PA", "22 PA"],
    ["DOIS DE JULHO", "Dois de Julho"],
    ["QUADRA 12 LT 3", "Quadra 12 Lt 3"],
    ["TRES MARIAS", "Três Marias"],
    ["VILA DO MARCO", "Vila do Marco"],
    ["DA CHA", "Da Chã"],
    ["NOSSA SENHORA DO O", "Nossa Senhora do Ó"],
    ["CASA PROPRIA", "Casa Própria"],
  ] as const
) {
  Deno.test(`titleCase writes "${name}" as "${written}"`, () => {
    assertEquals(titleCase(name), written);
    assertEquals(titleCase(written), written);
  });
}
