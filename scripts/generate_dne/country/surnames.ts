import { list } from "../list.ts";

/** Portuguese surnames, the most frequent first. */
export const SURNAMES = list(`
  da Silva, dos Santos, de Oliveira, de Souza, Pereira, Ferreira, Alves,
  Rodrigues, de Lima, Gomes, Costa, Ribeiro, Martins, de Carvalho, de Almeida,
  Lopes, Soares, Fernandes, Vieira, Barbosa, Rocha, Dias, do Nascimento,
  de Andrade, Moreira, Nunes, Marques, Machado, Mendes, de Freitas, Cardoso,
  Ramos, Gonçalves, Santana, Teixeira, de Araújo, Pinto, Cavalcante, Monteiro,
  Moura, Correia, Corrêa, Borges, de Farias, Brandão, Guimarães, Magalhães,
  Leão, Simões, da Conceição, Assunção, Silva, Santos, Oliveira, Souza, Sousa,
  Lima, Carvalho, Almeida, Andrade, Araújo, Batista, Campos, Cunha, da Costa,
  da Cruz, da Rocha, da Cunha, da Mata, da Luz, da Fonseca, Fonseca, da Motta,
  Mota, Medeiros, de Melo, Mello, Melo, de Miranda, Miranda, Morais, Moraes,
  de Moraes, Neves, das Neves, Nogueira, de Paula, Paiva, Peixoto, Pessoa,
  Pimentel, Pires, Prado, Prates, Queiroz, Rangel, Rego, Reis, dos Reis,
  Resende, Rezende, Sá, Sales, Salles, Sampaio, Saraiva, Siqueira, Sodré,
  Tavares, Toledo, Torres, Trindade, Valadares, Vargas, Vasconcelos, Vaz, Veiga,
  Veloso, Viana, Vianna, Vidal, Vilela, Xavier, Abreu, Aguiar, Albuquerque,
  Amaral, do Amaral, Amorim, dos Anjos, Antunes, Arruda, Assis, de Assis, Ávila,
  Azevedo, Bandeira, Barreto, Barros, de Barros, Bastos, Belmonte, Bezerra,
  Bittencourt, Bonfim, Botelho, Braga, Bragança, Brito, de Brito, Bueno, Cabral,
  Caldas, Calixto, Câmara, Camargo, Caminha, Canto, Cardim, Carneiro, Carrasco,
  Casagrande, Castilho, Castro, de Castro, Cavalcanti, Cerqueira, Chagas,
  Chaves, Coelho, Coimbra, Cordeiro, Cortez, Couto, do Couto, Coutinho,
  Damasceno, Dantas, Delgado, Diniz, Domingues, Dornelles, Duarte, Dutra,
  Espíndola, Esteves, Evangelista, Fagundes, Falcão, Faria, Fialho, Figueira,
  Figueiredo, Flores, Fontes, Fortes, Fraga, França, Franco, Freire, Furtado,
  Galvão, Gama, Garcia, Gaspar, Gouveia, Gurgel, Gusmão, Henriques, Holanda,
  de Jesus, Jardim, Junqueira, Lacerda, Lage, Leal, Leite, Lemos, Linhares,
  Lins, Lisboa, Lobato, Lobo, Loureiro, Lustosa, Luz, Macedo, Maciel, Madeira,
  Maia, Malheiros, Maranhão, Marinho, Mascarenhas, Matos, Mattos, Mesquita,
  Mourão, Muniz, Munhoz, Negreiros, Neto, Netto, Noronha, Novaes, Ornelas,
  Osório, Pacheco, Padilha, Paes, Palhares, Palmeira, Pantoja, Passos, Patrício,
  Paz, Pedrosa, Penha, Penteado, Peres, Pinheiro, Pontes, Portela, Porto,
  Portugal, Proença, Quadros, Quaresma, Quintanilha, Quirino, Rabelo, Ramalho,
  Raposo, Ricardo, Rios, Rosa, da Rosa, Sabino, Salgado, Salvador, Sanches,
  Santiago, Sarmento, Seabra, Seixas, Serra, Serrano, Silveira, da Silveira,
  Simas, Soledade, Soveral, Taques, Távora, Teles, Telles, Tenório, Tinoco,
  Tourinho, Uchoa, Valença, Valente, Valério, Varela, Ventura, Veríssimo, Vilar,
  Vilas Boas, Vitorino, Werneck, D'Ávila, Sant'Anna, D'Oliveira`);

/** Surnames of immigrants and of their descendants. */
export const IMMIGRANTS = list(`
  Schmidt, Müller, Weber, Schneider, Becker, Fischer, Wagner, Hoffmann, Klein,
  Krüger, Lehmann, Meyer, Neumann, Richter, Schröder, Schulz, Wolf, Zimmermann,
  Koch, Bauer, Braun, Kuhn, Hartmann, Krause, Lange, Fritsch, Hering, Konder,
  Rausch, Bianchi, Rossi, Ferrari, Romano, Colombo, Ricci, Marino, Greco, Bruno,
  Gallo, Conti, Costa, Mancini, Lombardi, Moretti, Barbieri, Fontana, Rizzo,
  Caruso, Ferrara, Galli, Martini, Leone, Longo, Gentile, Martinelli, Vitale,
  Lombardo, Serra, Coppola, Parisi, Villa, Conte, Ferretti, Zanella, Zanetti,
  Zanatta, Dal Molin, De Bona, De Marchi, Piccoli, Perin, Pavan, Frizzo, Tonin,
  Trevisan, Casagrande, Dagostim, Benedet, Kowalski, Nowak, Wisniewski, Wójcik,
  Kaminski, Lewandowski, Zielinski, Szymanski, Wozniak, Dombrowski, Kravchuk,
  Sobczak, Krupa, Gapski, Malinowski, Brzezinski, Yamamoto, Tanaka, Suzuki,
  Sato, Watanabe, Nakamura, Kobayashi, Ito, Saito, Yoshida, Matsumoto, Inoue,
  Kimura, Hayashi, Shimizu, Mori, Abe, Ikeda, Hashimoto, Ogawa, Haddad, Salim,
  Abdalla, Kalil, Maluf, Jafet, Farah, Cury, Nasser, Chalita, Garcia, Hernandez,
  Sanchez, Ortega, Ruiz, Jiménez, Molina, Navarro, Martinez, Lopez`);

/** Parts of rarer surnames of immigrants. */
const GERMAN = [
  list(`
    Acker, Berg, Brand, Eber, Eichen, Feld, Fried, Gross, Grün, Haupt, Heid,
    Hohl, Holz, Kauf, Kirch, Klinge, Knob, Kreuz, Linden, Loch, Marten, Mühl,
    Oster, Reich, Roth, Sand, Schön, Stein, Streck, Tann, Vogel, Wald, Wein,
    Winkel, Zell`),
  list(
    `mann, berg, stein, er, hardt, feld, bach, meier, mayer, hauer, ner, hof`,
  ),
] as const;
const ITALIAN = [
  list(
    `Al, Bald, Barb, Bass, Ben, Bert, Bocc, Bon, Bort, Bres, Cal, Camp, Cant, Capp,
    Car, Cav, Cer, Dal, Far, Fav, Ferr, Fior, Franch, Gasp, Ghir, Giac, Lazz, Lor,
    Mach, Mar, Mazz, Mor, Nard, Orl, Pas, Ped, Pell, Pier, Poll, Raf, Ron, Sal, Sant,
    Sart, Scar, Simon, Spad, Tom, Tor, Vent, Vial, Zamb, Zan, Zen`,
  ),
  list(
    `ini, etti, elli, otti, azzo, aro, on, in, ato, ello, essi, ari, ucci, oli, etto`,
  ),
] as const;
const POLISH = [
  list(
    `Adam, Bartos, Bogu, Budz, Chmiel, Czar, Dubi, Gaj, Gór, Jablon, Jan, Kacz, Kras,
    Kulc, Kwiat, Lis, Majch, Mar, Maz, Mikul, Now, Olsz, Ost, Paw, Piotr, Rog, Rutk,
    Sad, Sik, Sokol, Stach, Szcz, Tomasz, Urban, Wasil, Witk, Zar, Zbor`,
  ),
  list(
    `owski, ewski, inski, ak, czyk, ewicz, owicz, ek, ycki, anski, iuk, enko`,
  ),
] as const;
const JAPANESE = [
  list(
    `Aki, Ao, Fuji, Fuku, Hama, Hara, Hira, Hiro, Hon, Ishi, Iwa, Kawa, Kato, Kita,
    Kuro, Mae, Matsu, Miya, Mizu, Mura, Naga, Naka, Nishi, No, Oka, Ono, Oya, Saka, Shima,
    Taka, Take, Tomi, Toyo, Ue, Wada, Yama, Yoko, Yoshi`,
  ),
  list(
    `moto, mura, da, ta, shima, zaki, guchi, naka, hara, kawa, no, oka, shita, be`,
  ),
] as const;

/** A few thousand rare surnames, made of parts. */
export const RARE_SURNAMES: readonly string[] = [
  GERMAN,
  ITALIAN,
  POLISH,
  JAPANESE,
].flatMap(([heads, tails]) =>
  tails.flatMap((tail) => heads.map((head) => head + tail))
);
