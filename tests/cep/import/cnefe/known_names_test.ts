/** Names of streets, neighbourhoods, towns, countries and persons. */
import { assertEquals } from "@std/assert";
import { titleCase, unaccented } from "../../../../cep/import/cnefe/names.ts";

/** Well-known names as they are written, with and without accents. */
const NAMES = `
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

for (const name of NAMES.trim().split(/,\s+/)) {
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
