/**
 * Names that people give to cities.
 *
 * @module
 */

/** Nicknames by municipality and state. */
export const NICKNAMES: Readonly<Record<string, readonly string[]>> = {
  "Balneário Camboriú/SC": ["BC", "Bal Camboriú"],
  "Belém/PA": ["Belém do Pará"],
  "Belo Horizonte/MG": ["BH", "Belô", "Beagá"],
  "Blumenau/SC": ["Blu"],
  "Brasília/DF": ["BSB"],
  "Cachoeiro de Itapemirim/ES": ["Cachoeiro"],
  "Curitiba/PR": ["CWB", "Ctba"],
  "Feira de Santana/BA": ["Feira"],
  "Florianópolis/SC": ["Floripa"],
  "Foz do Iguaçu/PR": ["Foz"],
  "Goiânia/GO": ["Gyn"],
  "Governador Valadares/MG": ["Valadares", "GV"],
  "Itaquaquecetuba/SP": ["Itaquá"],
  "Jaboatão dos Guararapes/PE": ["Jaboatão"],
  "João Pessoa/PB": ["Jampa"],
  "Juiz de Fora/MG": ["JF"],
  "Nova Friburgo/RJ": ["Friburgo"],
  "Pindamonhangaba/SP": ["Pinda"],
  "Poços de Caldas/MG": ["Poços"],
  "Porto Alegre/RS": ["POA"],
  "Presidente Prudente/SP": ["Prudente"],
  "Ribeirão Preto/SP": ["Ribeirão"],
  "Rio de Janeiro/RJ": ["Rio"],
  "São Bernardo do Campo/SP": ["SBC", "São Bernardo"],
  "São José do Rio Preto/SP": ["Rio Preto"],
  "São José dos Campos/SP": ["SJC"],
  "São Paulo/SP": ["Sampa", "S. Paulo"],
};
