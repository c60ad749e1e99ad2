import { assertEquals } from "@std/assert";
import { complementWords } from "../../../cep/search/names.ts";

const WORDS: readonly (readonly [complement: string, words: string])[] = [
  ["", ""],
  ["(Lot Esplanada Araturi)", "lot esplanada araturi"],
  ["- de 1001/1002 ao fim (Cj Ceará)", "cj ceara"],
  ["de 2 a 40 - lado par (Vila Nova)", "vila nova"],
  ["(Zona Norte) - de 5180 a 5794 - lado p", "zona norte"],
  ["(Loteamento Jardim das Flores", "loteamento jardim flores"],
  ["Comércio", "comercio"],
  ["Bloco 2 - lado par", "bloco 2"],
  ["(BR 900 Km 7,5)", "br 900 km 7 5"],
  ["lado a lado", "lado a lado"],
  ["Ladeira", "ladeira"],
  ["(Sub-Setor 3)", "sub setor 3"],
  ["de Baixo", "baixo"],
  ["até 697 - lado ímpar", ""],
  ["- até 387/388", ""],
  ["até 999/1000", ""],
  ["até o 99", ""],
  ["de 232 a 790 - lado par", ""],
  ["de 302 ao fim  - lado par", ""],
  ["de 10.001/10.002 a 10.999/11.000", ""],
  ["do km 10,000 ao km 11,000", ""],
  ["do km 1,4 ao km 3 - lado par", ""],
  ["DE 1 A 9 - LADO IMPAR", ""],
  ["de 1001/1002 ao", ""],
  ["(até 99)", ""],
  ["lado par", ""],
  ["lado direito", ""],
  ["lado", ""],
];

for (const [complement, words] of WORDS) {
  Deno.test(`complementWords of "${complement}" are "${words}"`, () => {
    assertEquals(complementWords(complement).join(" "), words);
  });
}
