import type { Random } from "../../generate_dne/random.ts";

const FIRST =
  ("Zulmerinda Astrogildo Crisântemo Deoclécia Eufrosino Filogônio" +
    " Gumercinda Hermenegilda Isolmira Jovelânio Leocrécio Minervino Nicácia" +
    " Otaciana Petronilho Querubina Rosalvino Sidrônia Trajanira Ursulina")
    .split(" ");
const USUAL = "José Maria Antônio João Francisco Ana Pedro Paulo Santa Doutor"
  .split(" ");
const STARTS = "Tra Gru Ble Cra Dro Fle Pra Stra Zuc Vro Qui Gla Bru Tchu Xan"
  .split(" ");
const MIDDLES = "buche lipo zare gompi valle dreche furla mante pisco notte"
  .split(" ");
const ENDS = "lli nski rato vich dorf zzo meira strom".split(" ");

/**
 * Invents the name of a street that no city has: its last word is new, the first
 * one often usual.
 */
export function inventStreet(random: Random): string {
  const type = random.pick(["Rua", "Rua", "Rua", "Avenida", "Travessa"]);
  const last = random.pick(STARTS) + random.pick(MIDDLES) + random.pick(ENDS);
  return `${type} ${random.pick(random.chance(50) ? FIRST : USUAL)} ${last}`;
}
