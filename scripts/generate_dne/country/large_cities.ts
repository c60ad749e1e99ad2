import { list } from "../list.ts";

/** Large municipalities of each state after its capital, the largest first. */
export const LARGE_CITIES: Readonly<Record<string, readonly string[]>> = {
  AC: list(`
    Cruzeiro do Sul, Sena Madureira, Tarauacá`),
  AL: list(
    `Arapiraca, Palmeira dos Índios, Rio Largo, União dos Palmares, Penedo`,
  ),
  AM: list(`
    Parintins, Itacoatiara, Manacapuru, Coari, Tefé, Tabatinga`),
  AP: list(`
    Santana, Laranjal do Jari`),
  BA: list(`
    Feira de Santana, Vitória da Conquista, Camaçari, Juazeiro, Itabuna,
    Lauro de Freitas, Ilhéus, Jequié, Teixeira de Freitas, Barreiras,
    Alagoinhas, Porto Seguro, Simões Filho, Paulo Afonso, Eunápolis,
    Santo Antônio de Jesus, Valença, Candeias, Guanambi, Jacobina,
    Senhor do Bonfim, Itapetinga`),
  CE: list(
    `Caucaia, Juazeiro do Norte, Maracanaú, Sobral, Crato, Itapipoca, Maranguape,
    Iguatu, Quixadá, Pacatuba, Aquiraz, Quixeramobim, Russas, Tianguá, Crateús`,
  ),
  ES: list(
    `Serra, Vila Velha, Cariacica, Cachoeiro de Itapemirim, Linhares, São Mateus,
    Guarapari, Colatina, Aracruz, Viana`,
  ),
  GO: list(
    `Aparecida de Goiânia, Anápolis, Rio Verde, Águas Lindas de Goiás, Luziânia,
    Valparaíso de Goiás, Trindade, Formosa, Novo Gama, Senador Canedo, Catalão, Itumbiara,
    Jataí, Planaltina, Caldas Novas, Santo Antônio do Descoberto, Cidade Ocidental, Goianésia,
    Mineiros, Cristalina, Inhumas`,
  ),
  MA: list(
    `Imperatriz, São José de Ribamar, Timon, Caxias, Paço do Lumiar, Codó, Açailândia,
    Bacabal, Balsas, Santa Inês, Barra do Corda, Pinheiro, Santa Luzia`,
  ),
  MG: list(
    `Uberlândia, Contagem, Juiz de Fora, Betim, Montes Claros, Ribeirão das Neves,
    Uberaba, Governador Valadares, Ipatinga, Sete Lagoas, Divinópolis, Santa Luzia, Ibirité,
    Poços de Caldas, Patos de Minas, Pouso Alegre, Teófilo Otoni, Barbacena, Sabará, Varginha,
    Conselheiro Lafaiete, Vespasiano, Itabira, Araguari, Ubá, Passos, Coronel Fabriciano,
    Muriaé, Araxá, Ituiutaba, Lavras, Nova Serrana, Itajubá, Nova Lima, Pará de Minas, Itaúna,
    Paracatu, Caratinga, Patrocínio, Manhuaçu, São João del Rei, Timóteo, Unaí, Curvelo`,
  ),
  MS: list(
    `Dourados, Três Lagoas, Corumbá, Ponta Porã, Sidrolândia, Naviraí, Nova Andradina,
    Aquidauana`,
  ),
  MT: list(
    `Várzea Grande, Rondonópolis, Sinop, Tangará da Serra, Cáceres, Sorriso,
    Lucas do Rio Verde, Primavera do Leste, Barra do Garças, Alta Floresta, Água Boa`,
  ),
  PA: list(
    `Ananindeua, Santarém, Marabá, Parauapebas, Castanhal, Abaetetuba, Cametá, Marituba,
    Bragança, Altamira, Itaituba, Tucuruí, Paragominas, Barcarena, Redenção`,
  ),
  PB: list(
    `Campina Grande, Santa Rita, Patos, Bayeux, Sousa, Cabedelo, Cajazeiras, Guarabira`,
  ),
  PE: list(`
    Jaboatão dos Guararapes, Olinda, Caruaru, Petrolina, Paulista,
    Cabo de Santo Agostinho, Camaragibe, Garanhuns, Vitória de Santo Antão,
    Igarassu, São Lourenço da Mata, Abreu e Lima, Santa Cruz do Capibaribe,
    Ipojuca, Serra Talhada, Araripina, Gravatá, Carpina, Goiana`),
  PI: list(`
    Parnaíba, Picos, Piripiri, Floriano, Campo Maior, Altos`),
  PR: list(
    `Londrina, Maringá, Ponta Grossa, Cascavel, São José dos Pinhais, Foz do Iguaçu,
    Colombo, Guarapuava, Paranaguá, Araucária, Toledo, Apucarana, Campo Largo, Pinhais,
    Almirante Tamandaré, Arapongas, Piraquara, Umuarama, Cambé, Fazenda Rio Grande,
    Sarandi, Campo Mourão, Francisco Beltrão, Paranavaí, Pato Branco, Cianorte, Telêmaco Borba,
    Castro, Rolândia, Irati, União da Vitória, Ibiporã, Planalto`,
  ),
  RJ: list(`
    São Gonçalo, Duque de Caxias, Nova Iguaçu, Niterói, Belford Roxo,
    Campos dos Goytacazes, São João de Meriti, Petrópolis, Volta Redonda, Macaé,
    Magé, Itaboraí, Cabo Frio, Maricá, Nova Friburgo, Barra Mansa,
    Angra dos Reis, Mesquita, Teresópolis, Nilópolis, Rio das Ostras, Queimados,
    Araruama, Resende, Itaguaí, Japeri`),
  RN: list(
    `Mossoró, Parnamirim, São Gonçalo do Amarante, Macaíba, Ceará-Mirim, Caicó, Açu,
    Currais Novos, São José de Mipibu, Bom Jesus`,
  ),
  RO: list(`
    Ji-Paraná, Ariquemes, Vilhena, Cacoal, Rolim de Moura, Jaru`),
  RR: list(`
    Rorainópolis, Caracaraí`),
  RS: list(
    `Caxias do Sul, Canoas, Pelotas, Santa Maria, Gravataí, Viamão, Novo Hamburgo,
    São Leopoldo, Rio Grande, Alvorada, Passo Fundo, Sapucaia do Sul, Uruguaiana,
    Santa Cruz do Sul, Cachoeirinha, Bagé, Bento Gonçalves, Erechim, Guaíba, Lajeado, Ijuí,
    Cachoeira do Sul, Sapiranga, Sant'Ana do Livramento, Santo Ângelo, Esteio, Alegrete,
    Santa Rosa, Venâncio Aires, Farroupilha, Camaquã, Vacaria, Campo Bom, Montenegro,
    São Borja, Carazinho, São Gabriel, Cruz Alta, Taquara, Parobé, Tramandaí, Planalto`,
  ),
  SC: list(
    `Joinville, Blumenau, São José, Chapecó, Itajaí, Palhoça, Criciúma, Jaraguá do Sul,
    Lages, Balneário Camboriú, Brusque, Tubarão, São Bento do Sul, Camboriú, Caçador,
    Navegantes, Concórdia, Rio do Sul, Gaspar, Indaial, Biguaçu, Araranguá, Itapema, Mafra,
    Içara, Canoinhas, Videira, Xanxerê, Imbituba`,
  ),
  SE: list(
    `Nossa Senhora do Socorro, Lagarto, Itabaiana, São Cristóvão, Estância, Tobias Barreto`,
  ),
  SP: list(
    `Guarulhos, Campinas, São Bernardo do Campo, São José dos Campos, Santo André,
    Ribeirão Preto, Osasco, Sorocaba, Mauá, São José do Rio Preto, Mogi das Cruzes, Santos,
    Diadema, Jundiaí, Piracicaba, Carapicuíba, Bauru, Itaquaquecetuba, São Vicente, Franca,
    Praia Grande, Guarujá, Taubaté, Limeira, Suzano, Taboão da Serra, Sumaré, Barueri,
    Embu das Artes, São Carlos, Indaiatuba, Cotia, Americana, Marília, Itapevi, Araraquara,
    Jacareí, Hortolândia, Presidente Prudente, Rio Claro, Araçatuba, Santa Bárbara d'Oeste,
    Ferraz de Vasconcelos, Francisco Morato, Itapecerica da Serra, Itu, Bragança Paulista,
    Pindamonhangaba, Itapetininga, São Caetano do Sul, Franco da Rocha, Mogi Guaçu, Jaú,
    Botucatu, Atibaia, Santana de Parnaíba, Araras, Cubatão, Valinhos, Sertãozinho,
    Jandira, Birigui, Ribeirão Pires, Votorantim, Barretos, Catanduva, Várzea Paulista,
    Guaratinguetá, Tatuí, Caraguatatuba, Itatiba, Salto, Poá, Ourinhos, Paulínia, Assis,
    Leme, Itanhaém, Caieiras, Mairiporã, Votuporanga, Caçapava, Mogi Mirim, Ubatuba`,
  ),
  TO: list(
    `Araguaína, Gurupi, Porto Nacional, Paraíso do Tocantins, Araguatins, Colinas do Tocantins`,
  ),
};

/** Nicknames of cities. */
export const NICKNAMES: Readonly<Record<string, readonly string[]>> = {
  "Belo Horizonte": ["BH", "Belô", "Beagá"],
  "Florianópolis": ["Floripa", "Desterro", "Ilha da Magia"],
  "João Pessoa": ["Jampa", "Parahyba"],
  "Porto Alegre": ["POA", "Porto"],
  "Rio de Janeiro": ["Rio", "Cidade Maravilhosa", "RJ"],
  "São Paulo": ["Sampa", "SP", "Terra da Garoa"],
  "Brasília": ["BSB", "Capital Federal"],
  "Balneário Camboriú": ["BC", "Balneário"],
  "São José dos Campos": ["Sanja", "SJC"],
  "São Bernardo do Campo": ["SBC", "São Bernardo"],
  "Foz do Iguaçu": ["Foz"],
  "Juiz de Fora": ["JF"],
  "Campo Grande": ["CG", "Cidade Morena"],
  "Recife": ["Hellcife", "Veneza Brasileira"],
  "Salvador": ["SSA", "São Salvador da Bahia", "Bahia"],
  "Manaus": ["Manaós", "Barra do Rio Negro"],
  "Curitiba": ["CWB"],
  "Ribeirão Preto": ["Ribeirão", "RP"],
  "São José do Rio Preto": ["Rio Preto", "SJRP"],
};
