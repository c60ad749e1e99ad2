import { list } from "../list.ts";

/** States. */
export const STATES = list(`
  São Paulo, Bahia, Minas Gerais, Paraná, Santa Catarina, Rio de Janeiro, Goiás,
  Pernambuco, Amazonas, Espírito Santo, Ceará, Mato Grosso, Alagoas, Maranhão,
  Sergipe, Pará, Paraíba, Piauí, Rio Grande do Sul, Rio Grande do Norte, Acre,
  Rondônia, Roraima, Amapá, Tocantins, Mato Grosso do Sul, Distrito Federal`);

/** Countries and continents. */
export const COUNTRIES = list(`
  Brasil, Argentina, Itália, Portugal, Uruguai, Paraguai, Chile, França, Japão,
  Alemanha, Espanha, Bolívia, Peru, Colômbia, Venezuela, Equador, México,
  Canadá, Estados Unidos, Inglaterra, Bélgica, Holanda, Suíça, Áustria, Polônia,
  Suécia, Noruega, Dinamarca, Finlândia, Grécia, Turquia, Líbano, Síria, Israel,
  Egito, Angola, Moçambique, Cabo Verde, Guiné, África do Sul, Marrocos, China,
  Índia, Coreia, Austrália, Nova Zelândia, Cuba, Panamá, Costa Rica, Guatemala,
  Honduras, Nicarágua, Haiti, Jamaica, Armênia, Hungria, Romênia, Ucrânia,
  Rússia, Escócia, Irlanda, América, Europa, África, Ásia, Oceania`);

/** Cities of the world. */
export const WORLD_CITIES = list(`
  Roma, Paris, Lisboa, Madri, Londres, Berlim, Viena, Atenas, Veneza, Florença,
  Milão, Nápoles, Verona, Turim, Gênova, Pádua, Trento, Barcelona, Sevilha,
  Granada, Toledo, Coimbra, Porto, Braga, Funchal, Bruxelas, Amsterdã, Genebra,
  Zurique, Praga, Varsóvia, Moscou, Tóquio, Osaka, Quioto, Buenos Aires,
  Montevidéu, Assunção, Santiago, Lima, Caracas, Bogotá, Quito, La Paz, Havana,
  Nova York, Miami, Los Angeles, Chicago, Boston, Jerusalém, Belém, Nazaré,
  Jericó, Damasco, Beirute, Cairo, Luanda, Maputo, Dakar, Sidney`);
