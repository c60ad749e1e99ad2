import { list } from "../list.ts";
import { Random } from "../random.ts";
import { Zipf } from "../zipf.ts";

const STARTS = list(`
  A, E, I, O, U, Ba, Be, Bi, Bo, Bra, Ca, Cle, Co, Cri, Da, De, Di, Do, Fa, Fe,
  Fla, Fran, Ga, Ge, Gi, Gra, Gua, Ja, Je, Jo, Ju, La, Le, Li, Lo, Ma, Me, Mi,
  Mo, Mu, Na, Ne, Ni, No, Pa, Pe, Pi, Po, Que, Qui, Ra, Re, Ri, Ro, Sa, Se, Si,
  So, Ta, Te, Ti, To, Tra, Va, Ve, Vi, Wa, We, Wil, Ze, Zi, Sil, Cha, Schu, Kra,
  Ya`);
const MIDDLES = list(`
  ba, be, bi, ca, ce, ci, co, da, de, di, do, fa, fe, ga, ge, gu, ja, la, le,
  li, lo, lu, ma, me, mi, mo, na, ne, ni, no, pa, pe, ra, re, ri, ro, sa, se,
  si, ta, te, ti, tu, va, ve, vi, za, ze, lha, nha, rra, ssa, bra, tri, ndra,
  nce, mbe, rte, ldi, á, é, í, ó, â`);
const ENDS = list(`
  na, ta, do, nha, ra, la, lo, no, to, ri, ni, ti, li, da, ino, ina, ete, ildo,
  aldo, erto, ardo, elli, eto, eiro, eira, ense, aba, uba, ão, ões, ês, ira, aí,
  ério, ália, êncio, ídio`);

/** Words that occur in few names: given names, surnames, and places. */
export class RareWords {
  readonly #words: Zipf<string>;

  constructor(size: number, seed: number) {
    const random = new Random(seed, "rare words");
    const words = Array.from({ length: size }, () => inventWord(random));
    this.#words = new Zipf([...new Set(words)], 2000);
  }

  /** Draws a word. */
  pick(random: Random): string {
    return this.#words.pick(random);
  }
}

function inventWord(random: Random): string {
  let word = random.pick(STARTS);
  for (let i = random.int(3); i > 0; i--) word += random.pick(MIDDLES);
  return word + random.pick(ENDS);
}
