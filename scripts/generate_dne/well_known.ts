/**
 * Addresses of public landmarks, collected by hand: squares, avenues and seats
 * of government whose CEPs are printed on letterheads and street signs. They
 * are the only CEPs in a generated DNE that are real on purpose, and none was
 * taken from the real DNE.
 */
/** Street in the capital of a state. */
export interface WellKnownStreet {
  readonly uf: string;
  /** Eight digits. */
  readonly cep: string;
  readonly type: string;
  readonly name: string;
  /** As in the DNE, with its leading "- "; usually empty. */
  readonly complement: string;
  readonly neighbourhood: string;
  /** False if the type is not part of the written address. */
  readonly typeIsWritten: boolean;
}

/** Building with its own CEP in the capital of a state. */
export interface WellKnownUser {
  readonly uf: string;
  /** Eight digits. */
  readonly cep: string;
  readonly name: string;
  readonly address: string;
  readonly neighbourhood: string;
}

type StreetFacts = [
  uf: string,
  cep: string,
  type: string,
  name: string,
  neighbourhood: string,
  complement?: string,
];

// deno-fmt-ignore
const STREETS: readonly StreetFacts[] = [
  ["AC", "69905062", "Avenida", "Ceará", "Cerâmica", "- de 534 a 954 - lado par"],
  ["AL", "57030170", "Avenida", "Doutor Antônio Gouveia", "Pajuçara"],
  ["AM", "69020060", "Rua", "Major Gabriel", "Centro"],
  ["AP", "68900453", "Praça", "Barão do Rio Branco", "Central"],
  ["BA", "40026280", "Largo", "do Pelourinho", "Pelourinho"],
  ["BA", "40140650", "Largo", "do Farol da Barra", "Barra"],
  ["CE", "60060390", "Rua", "Dragão do Mar", "Praia de Iracema"],
  ["DF", "70040010", "Quadra", "SBN Quadra 1", "Asa Norte"],
  ["DF", "70100000", "Praça", "dos Três Poderes", "Zona Cívico-Administrativa"],
  ["ES", "29055130", "Avenida", "Nossa Senhora da Penha", "Praia do Canto", "- de 710 a 1212 - lado par"],
  ["GO", "74020200", "Avenida", "Goiás", "Setor Central", "- de 550 a 1118 - lado par"],
  ["MA", "65071377", "Avenida", "Litorânea", "Calhau"],
  ["MG", "30130005", "Avenida", "Afonso Pena", "Boa Viagem", "- de 1352 a 1800 - lado par"],
  ["MS", "79002073", "Avenida", "Afonso Pena", "Centro", "- de 2001 a 2551 - lado ímpar"],
  ["MT", "78005370", "Avenida", "Presidente Getúlio Vargas", "Centro-Norte"],
  ["PA", "66010000", "Avenida", "Presidente Vargas", "Campina", "- até 379/380"],
  ["PB", "58045010", "Avenida", "Cabo Branco", "Cabo Branco"],
  ["PE", "50030040", "Rua", "da Moeda", "Recife"],
  ["PE", "50030170", "Rua", "do Bom Jesus", "Recife"],
  ["PI", "64000140", "Praça", "Rio Branco", "Centro"],
  ["PR", "80210390", "Rua", "Engenheiro Ostoja Roguski", "Jardim Botânico"],
  ["PR", "80530000", "Avenida", "Cândido de Abreu", "Centro Cívico"],
  ["RJ", "20010010", "Praça", "Quinze de Novembro", "Centro"],
  ["RJ", "20081240", "Praça", "Mauá", "Centro"],
  ["RJ", "22021001", "Avenida", "Atlântica", "Copacabana", "- de 1662 a 2172 - lado par"],
  ["RJ", "22041001", "Avenida", "Atlântica", "Copacabana", "- de 2174 a 2634 - lado par"],
  ["RN", "59025300", "Praça", "Sete de Setembro", "Cidade Alta"],
  ["RO", "76801097", "Avenida", "Sete de Setembro", "Centro", "- de 945 a 1355 - lado ímpar"],
  ["RR", "69301380", "Praça", "do Centro Cívico", "Centro"],
  ["RS", "90010170", "Praça", "Montevidéo", "Centro Histórico"],
  ["RS", "90020007", "Rua", "dos Andradas", "Centro Histórico", "- de 1000 a 1190 - lado par"],
  ["SC", "88010400", "Praça", "Quinze de Novembro", "Centro"],
  ["SE", "49010080", "Praça", "Fausto Cardoso", "Centro"],
  ["SP", "01001000", "Praça", "da Sé", "Sé", "- lado ímpar"],
  ["SP", "01001001", "Praça", "da Sé", "Sé", "- lado par"],
  ["SP", "01310100", "Avenida", "Paulista", "Bela Vista", "- de 612 a 1510 - lado par"],
  ["SP", "01310200", "Avenida", "Paulista", "Bela Vista", "- de 1512 a 2132 - lado par"],
  ["SP", "01311200", "Avenida", "Paulista", "Bela Vista", "- de 1047 a 1865 - lado ímpar"],
  ["SP", "04538133", "Avenida", "Brigadeiro Faria Lima", "Itaim Bibi", "- de 3253 ao fim - lado ímpar"],
  ["TO", "77020012", "Quadra", "ACSE 1 Avenida Juscelino Kubitschek", "Plano Diretor Sul"],
];

/** Streets, at least one in the capital of each state. */
export const WELL_KNOWN_STREETS: readonly WellKnownStreet[] = STREETS.map((
  [uf, cep, type, name, neighbourhood, complement = ""],
) => ({
  uf,
  cep,
  type,
  name,
  complement,
  neighbourhood,
  // The blocks of Brasília are written without "Quadra" before them.
  typeIsWritten: uf !== "DF" || type !== "Quadra",
}));

/** Large users. */
export const WELL_KNOWN_USERS: readonly WellKnownUser[] = [
  ["70150900", "Palácio do Planalto"],
  ["70160900", "Câmara dos Deputados"],
  ["70165900", "Senado Federal"],
  ["70175900", "Supremo Tribunal Federal"],
].map(([cep = "", name = ""]) => ({
  uf: "DF",
  cep,
  name,
  address: "Praça dos Três Poderes, s/n",
  neighbourhood: "Zona Cívico-Administrativa",
}));
