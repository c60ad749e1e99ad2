// Addresses of public landmarks, collected by hand: squares, avenues and seats
// of government whose CEPs are printed on letterheads and street signs. They
// are the only CEPs in a generated DNE that are real on purpose, and none was
// taken from the real DNE.

/**
 * Place by public maps, within a few hundred metres, and the direction in which
 * building numbers ascend, clockwise from the north.
 */
type Place = readonly [latitude: number, longitude: number, bearing: number];

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
  readonly place: Place;
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
  place: Place,
  complement?: string,
];

// deno-fmt-ignore
const STREETS: readonly StreetFacts[] = [
  ["AC", "69905062", "Avenida", "Ceará", "Cerâmica", [-9.9720, -67.8110, 45], "- de 534 a 954 - lado par"],
  ["AL", "57030170", "Avenida", "Doutor Antônio Gouveia", "Pajuçara", [-9.6660, -35.7130, 60]],
  ["AM", "69020060", "Rua", "Major Gabriel", "Centro", [-3.1270, -60.0190, 0]],
  ["AP", "68900453", "Praça", "Barão do Rio Branco", "Central", [0.0300, -51.0490, 0]],
  ["BA", "40026280", "Largo", "do Pelourinho", "Pelourinho", [-12.9717, -38.5086, 20]],
  ["BA", "40140650", "Largo", "do Farol da Barra", "Barra", [-13.0103, -38.5330, 90]],
  ["CE", "60060390", "Rua", "Dragão do Mar", "Praia de Iracema", [-3.7211, -38.5205, 80]],
  ["DF", "70040010", "Quadra", "SBN Quadra 1", "Asa Norte", [-15.7895, -47.8810, 0]],
  ["DF", "70100000", "Praça", "dos Três Poderes", "Zona Cívico-Administrativa", [-15.8003, -47.8611, 90]],
  ["ES", "29055130", "Avenida", "Nossa Senhora da Penha", "Praia do Canto", [-20.2985, -40.2945, 30], "- de 710 a 1212 - lado par"],
  ["GO", "74020200", "Avenida", "Goiás", "Setor Central", [-16.6720, -49.2560, 180], "- de 550 a 1118 - lado par"],
  ["MA", "65071377", "Avenida", "Litorânea", "Calhau", [-2.4880, -44.2560, 90]],
  ["MG", "30130005", "Avenida", "Afonso Pena", "Boa Viagem", [-19.9260, -43.9350, 135], "- de 1352 a 1800 - lado par"],
  ["MS", "79002073", "Avenida", "Afonso Pena", "Centro", [-20.4630, -54.6150, 80], "- de 2001 a 2551 - lado ímpar"],
  ["MT", "78005370", "Avenida", "Presidente Getúlio Vargas", "Centro-Norte", [-15.5950, -56.1020, 0]],
  ["PA", "66010000", "Avenida", "Presidente Vargas", "Campina", [-1.4520, -48.5020, 120], "- até 379/380"],
  ["PB", "58045010", "Avenida", "Cabo Branco", "Cabo Branco", [-7.1250, -34.8230, 170]],
  ["PE", "50030040", "Rua", "da Moeda", "Recife", [-8.0643, -34.8733, 0]],
  ["PE", "50030170", "Rua", "do Bom Jesus", "Recife", [-8.0612, -34.8714, 0]],
  ["PI", "64000140", "Praça", "Rio Branco", "Centro", [-5.0920, -42.8110, 90]],
  ["PR", "80210390", "Rua", "Engenheiro Ostoja Roguski", "Jardim Botânico", [-25.4418, -49.2395, 90]],
  ["PR", "80530000", "Avenida", "Cândido de Abreu", "Centro Cívico", [-25.4170, -49.2690, 0]],
  ["RJ", "20010010", "Praça", "Quinze de Novembro", "Centro", [-22.9031, -43.1741, 90]],
  ["RJ", "20081240", "Praça", "Mauá", "Centro", [-22.8965, -43.1808, 0]],
  ["RJ", "22021001", "Avenida", "Atlântica", "Copacabana", [-22.9700, -43.1820, 215], "- de 1662 a 2172 - lado par"],
  ["RJ", "22041001", "Avenida", "Atlântica", "Copacabana", [-22.9745, -43.1868, 225], "- de 2174 a 2634 - lado par"],
  ["RN", "59025300", "Praça", "Sete de Setembro", "Cidade Alta", [-5.7873, -35.2090, 0]],
  ["RO", "76801097", "Avenida", "Sete de Setembro", "Centro", [-8.7615, -63.9005, 90], "- de 945 a 1355 - lado ímpar"],
  ["RR", "69301380", "Praça", "do Centro Cívico", "Centro", [2.8197, -60.6715, 0]],
  ["RS", "90010170", "Praça", "Montevidéo", "Centro Histórico", [-30.0277, -51.2287, 0]],
  ["RS", "90020007", "Rua", "dos Andradas", "Centro Histórico", [-30.0300, -51.2310, 270], "- de 1000 a 1190 - lado par"],
  ["SC", "88010400", "Praça", "Quinze de Novembro", "Centro", [-27.5972, -48.5500, 0]],
  ["SE", "49010080", "Praça", "Fausto Cardoso", "Centro", [-10.9111, -37.0486, 0]],
  ["SP", "01001000", "Praça", "da Sé", "Sé", [-23.5504, -46.6339, 0], "- lado ímpar"],
  ["SP", "01001001", "Praça", "da Sé", "Sé", [-23.5507, -46.6335, 180], "- lado par"],
  ["SP", "01310100", "Avenida", "Paulista", "Bela Vista", [-23.5646, -46.6523, 315], "- de 612 a 1510 - lado par"],
  ["SP", "01310200", "Avenida", "Paulista", "Bela Vista", [-23.5600, -46.6568, 315], "- de 1512 a 2132 - lado par"],
  ["SP", "01311200", "Avenida", "Paulista", "Bela Vista", [-23.5608, -46.6553, 315], "- de 1047 a 1865 - lado ímpar"],
  ["SP", "04538133", "Avenida", "Brigadeiro Faria Lima", "Itaim Bibi", [-23.5868, -46.6822, 130], "- de 3253 ao fim - lado ímpar"],
  ["TO", "77020012", "Quadra", "ACSE 1 Avenida Juscelino Kubitschek", "Plano Diretor Sul", [-10.1910, -48.3290, 90]],
];

/** Streets, at least one in the capital of each state. */
export const WELL_KNOWN_STREETS: readonly WellKnownStreet[] = STREETS.map((
  [uf, cep, type, name, neighbourhood, place, complement = ""],
) => ({
  uf,
  cep,
  type,
  name,
  complement,
  neighbourhood,
  place,
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
