import { list } from "../list.ts";

/** Flowers, with the articles that street names often have. */
export const FLOWERS = list(`
  Rosas, Margaridas, Violetas, Orquídeas, Hortênsias, Azaleias, Acácias,
  Camélias, Lírios, Girassóis, Tulipas, Begônias, Dálias, Gardênias, Gérberas,
  Jasmins, Magnólias, Papoulas, Petúnias, Primaveras, Bromélias, Crisântemos,
  Cravos, Gerânios, Gladíolos, Amarílis, Alamandas, Bouganvilles, Antúrios,
  Angélicas, Verbenas, Zínias, Íris, Perpétuas, Copos-de-leite, Flor-de-lis,
  Vitória-régia, Onze-horas, Quaresmeiras, Sempre-vivas`);

/** Trees. */
export const TREES = list(`
  Ipês, Palmeiras, Jacarandás, Cedros, Pinheiros, Mangueiras, Cajueiros,
  Coqueiros, Laranjeiras, Limoeiros, Figueiras, Jatobás, Aroeiras, Perobas,
  Eucaliptos, Araucárias, Imbuias, Angicos, Buritis, Jequitibás, Paineiras,
  Flamboyants, Sibipirunas, Oitis, Mognos, Carvalhos, Castanheiras,
  Seringueiras, Jabuticabeiras, Goiabeiras, Pitangueiras, Amoreiras, Jambeiros,
  Tamarineiros, Umbuzeiros, Juazeiros, Carnaúbas, Canelas, Cerejeiras,
  Sucupiras, Embaúbas, Pau-brasil, Ipê Amarelo, Ipê Roxo, Ipê Branco, Ipê Rosa,
  Guapuruvu`);

/** Birds and other animals. */
export const ANIMALS = list(`
  Andorinhas, Sabiás, Canários, Garças, Bem-te-vis, Beija-flores, Pardais,
  Rouxinóis, Tucanos, Araras, Gaivotas, Curiós, Pintassilgos, Tico-ticos,
  Cardeais, Cisnes, Flamingos, Gaviões, Águias, Falcões, Periquitos, Papagaios,
  Juritis, Colibris, Uirapurus, Jandaias, Maritacas, Sanhaços, Siriemas,
  Perdizes, Codornas, Pelicanos, Albatrozes, Azulões, Acauã, Asa Branca, Graúna,
  Jaçanã, Golfinhos, Tucunaré, Dourado, Pintado, Pacu, Tambaqui`);

/** Stones, stars and planets, and words of good omen. */
export const PRECIOUS = list(`
  Esmeralda, Rubi, Safira, Topázio, Ametista, Diamante, Turmalina, Jade, Pérola,
  Cristal, Ágata, Opala, Turquesa, Água Marinha, Ouro, Prata, Brilhante,
  Granada, Quartzo, Ônix, Marte, Vênus, Júpiter, Saturno, Mercúrio, Netuno,
  Urano, Plutão, Estrela Dalva, Órion, Cruzeiro do Sul, Três Marias, Andrômeda,
  Sírius, Lua, Sol, Aurora, Arco-íris, Cometa, Esperança, Alegria, Harmonia,
  União, Progresso, Felicidade, Amizade, Fraternidade, Vitória, Paraíso,
  Boa Esperança, Bonança, Concórdia, Fé, Caridade, Justiça, Verdade`);

/** Words of Tupi and names of peoples. */
export const TUPI_WORDS = list(`
  Tupi, Guarani, Tamoios, Tupinambás, Carijós, Caetés, Aimorés, Potiguares,
  Tabajaras, Xavantes, Bororós, Carajás, Kaingangs, Guaianases, Goitacazes,
  Timbiras, Xingu, Terenas, Caiapós, Ianomâmis, Mundurucus, Pataxós, Tapajós,
  Tapuias, Guaicurus, Cariris, Tupiniquins, Araçá, Araçatuba, Araguari,
  Arapongas, Araribá, Aracati, Anhembi, Apiaí, Avaré, Baependi, Bauru, Biguaçu,
  Botucatu, Caçapava, Camboriú, Capivari, Caraguatatuba, Cariúba, Catanduva,
  Guaíra, Guaporé, Guarapari, Guarujá, Iguaçu, Ibirapuera, Ibitinga, Indaiá,
  Ipanema, Itaim, Itajubá, Itamaracá, Itapeva, Itapoã, Itaquera, Itororó,
  Jaguaribe, Jaraguá, Jundiaí, Mogi, Mucuri, Nhambiquara, Paraguaçu,
  Paranapanema, Peri, Piracema, Piratininga, Sabará, Sapucaí, Sorocaba,
  Tabatinga, Taquari, Tibiriçá, Tietê, Tupã, Ubatuba, Urucuia, Xopotó`);

/** Rivers. */
export const RIVERS = list(`
  Rio Claro, Rio Negro, Rio Branco, Rio Doce, Rio Grande, Rio Pardo, Rio Verde,
  Rio Preto, Rio Tietê, Rio Paraná, Rio Iguaçu, Rio Amazonas, Rio Araguaia,
  Rio Tocantins, Rio Xingu, Rio Tapajós, Rio Madeira, Rio Purus, Rio Juruá,
  Rio São Francisco, Rio Jequitinhonha, Rio Parnaíba, Rio Capibaribe,
  Rio Jaguaribe, Rio Paraguai, Rio Uruguai, Rio Jacuí, Rio Itajaí,
  Rio Paranapanema, Rio das Velhas, Rio das Mortes, Rio Solimões,
  Rio Ipiranga`);
