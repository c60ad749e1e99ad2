/** Flats, blocks, lots, rooms and building numbers. */
import { assertEquals } from "@std/assert";
import { match, testRows, useBrazil } from "./_rows.ts";

useBrazil();

/** Units after a building number, with or without a comma before them. */
const UNITS = `
  casa 2; cs 2; casa B; lote 5; lt 5; loja 3; lj. 3; sala 1201; sl 1201;
  fundos; 12 andar; 12º andar; andar 12; ap 101; apto 101; apto. 101-B;
  apartamento 101; bl B ap 101; bloco B apto 101; qd 10 lt 5;
  quadra 10 lote 5; torre 2 apto 31; conj 52; box 4; sobrado;
  Edifício Aurora; ed. Aurora apto 3
`.split(";").map((unit) => unit.trim());

for (const unit of UNITS) {
  for (const sign of [", ", " ", " - "]) {
    const text = `Rua Felipe Schmidt, 340${sign}${unit}` +
      `${sign === " " ? ", " : sign}Centro, Florianópolis/SC`;
    Deno.test(`Matcher.match reads the unit in "${text}"`, async () => {
      const { cep, pontuacao, diferencas, endereco } = await match(text);
      assertEquals([cep, diferencas], ["88900005", []]);
      assertEquals([endereco.numero, endereco.bairro], ["340", "Centro"]);
      assertEquals(pontuacao >= 0.8, true, `${pontuacao}`);
    });
  }
}

// Units without a number, and names that look like units.
testRows(`
  # Without a number.
  sure   Rua Vicente Machado, apto 12, Batel, Curitiba -> Rua Vicente Machado
  sure   Rua Vicente Machado qd 10 lt 5 - Batel, Curitiba -> Rua Vicente Machado
  sure   Rua Vicente Machado s/n Batel Curitiba PR -> Rua Vicente Machado
  sure   Rua Vicente Machado, 340 sobreloja Batel Curitiba PR -> Rua Vicente Machado
  sure   Rua Vicente Machado, 340 térreo Batel Curitiba PR -> Rua Vicente Machado
  sure   Rua Vicente Machado 340 edícula Batel Curitiba PR -> Rua Vicente Machado
  sure   Rua Felipe Schmidt, 340 fundos Centro Florianópolis SC -> Rua Felipe Schmidt|até 500/501
  sure   Rua Vicente Machado, S/Nº, casa 2, Batel, Curitiba -> Rua Vicente Machado
  sure   Rua Vicente Machado Quadra 3 Lote 7, Curitiba/PR -> Rua Vicente Machado
  sure   Condomínio Vila das Flores, Rua Vicente Machado, 12, Curitiba -> Rua Vicente Machado
  sure   Shopping Aurora, loja 12, Rua Vicente Machado, 120, Curitiba -> Rua Vicente Machado
  # The longest reading that is a record wins, and only the rest is a unit.
  sure   SHIN QI 9 Conjunto 5, Brasília/DF -> SHIN QI 9 Conjunto 5
  sure   SHIN QI 9 Conjunto 5 casa 12, Brasília/DF -> SHIN QI 9 Conjunto 5
  found  SHIN QI 9 Conjunto 5, Casa 12, Lago Norte, Brasília - DF -> SHIN QI 9 Conjunto 5 ! bairro
  sure   shin qi 9 conjunto 5 lote 6 brasilia -> SHIN QI 9 Conjunto 5
  sure   SHIN QI 09 CJ 05 CS 12 BRASILIA DF -> SHIN QI 9 Conjunto 5
  sure   SHIN QI 9 conj. 15 casa 5, Brasília -> SHIN QI 9 Conjunto 15
  sure   SHIS QI 9 Conjunto 5 casa 1 Brasília DF -> SHIS QI 9 Conjunto 5
  sure   QNM 18 Conjunto B Casa 5, Ceilândia, Brasília/DF -> QNM 18 Conjunto B
  sure   qnm 18 conjunto b lote 34 ceilandia sul df -> QNM 18 Conjunto B
  sure   Quadra 8 Conjunto G, casa 30, Sobradinho, Brasília/DF -> Quadra 8 Conjunto G
  sure   Quadra 8 Conjunto G lote 30 Sobradinho DF -> Quadra 8 Conjunto G
  sure   EQS 509/510, Asa Sul, Brasília/DF -> EQS 509/510
  sure   EQS 509/510 Bloco A Loja 5, Brasília/DF -> EQS 509/510
  sure   eqs 509 510 asa sul brasilia -> EQS 509/510
  sure   EQS 508/509 bloco C, Brasília -> EQS 508/509
  sure   SQS 308 Bloco A Apto 101, Asa Sul, Brasília - DF -> SQS 308 Bloco A
  sure   SQS 308 bl A ap 101 Brasília -> SQS 308 Bloco A
  sure   SQN 308 Bloco A, apto 203, Asa Norte, Brasília/DF -> SQN 308 Bloco A
  sure   CLN 308 Bloco E loja 15, Asa Norte, Brasília/DF -> CLN 308 Bloco E
  sure   1103 Sul Alameda 9, Palmas/TO -> Quadra 1103 Sul Alameda 9
  sure   1103 Sul Alameda 9 lote 5, Palmas/TO -> Quadra 1103 Sul Alameda 9
  sure   1103 Sul, Alameda 9, Lt 12, Plano Diretor Sul, Palmas - TO -> Quadra 1103 Sul Alameda 9
  found  Quadra 1103 Sul Alameda 19 QI 3 Lote 12, Palmas -> Quadra 1103 Sul Alameda 19
  sure   qd 1103 sul al 9 lt 12 palmas -> Quadra 1103 Sul Alameda 9
  sure   Q. 103 Norte Alameda 9, 12, Palmas/TO -> Quadra 103 Norte Alameda 9
  sure   104 Norte Avenida NS 2, Lote 7, Palmas/TO -> Quadra 104 Norte Avenida NS 2
  sure   104 Norte Av. NS-2 Palmas -> Quadra 104 Norte Avenida NS 2
`);

// Quadra and lote by their letters, beside a street with a number.
testRows(`
  sure   Rua 9, Q5 L3, Jardim Aureny III, Palmas/TO -> Rua 9
  sure   Rua 9 Q.5 L.27 - Jardim Aureny III, Palmas/TO -> Rua 9
  sure   logradouro=Rua 9, Q10 L3; bairro=Jardim Aureny III; cidade=Palmas -> Rua 9
  sure   Rua A Q.B L.C, Mondubim (Lot Esplanada Araturi), Fortaleza/CE -> Rua A|(Lot Esplanada Araturi)
`);

// Building numbers, and the stretches on which they are.
testRows(`
  sure   Rua Felipe Schmidt 340, Florianópolis -> Rua Felipe Schmidt|até 500/501
  sure   Rua Felipe Schmidt nº 900, Florianópolis -> Rua Felipe Schmidt|de 502/503 ao fim
  sure   340 Rua Felipe Schmidt, Florianópolis -> Rua Felipe Schmidt|até 500/501
  sure   Rua Felipe Schmidt, 1.340, Florianópolis -> Rua Felipe Schmidt|de 502/503 ao fim
  sure   Rua Felipe Schmidt, 340A, Florianópolis -> Rua Felipe Schmidt|até 500/501
  sure   Rua Felipe Schmidt No. 340 Florianópolis -> Rua Felipe Schmidt|até 500/501
  sure   Rua Felipe Schmidt, 340/342, Florianópolis -> Rua Felipe Schmidt|até 500/501
  sure   Rua Felipe Schmidt, 340 a 350, Florianópolis -> Rua Felipe Schmidt|até 500/501
  sure   Rua Felipe Schmidt, 340-A, Florianópolis -> Rua Felipe Schmidt|até 500/501
  sure   Avenida Paulicéia, 501, São Paulo -> Avenida Paulicéia|até 999 - lado ímpar
  sure   Avenida Paulicéia, 502, São Paulo -> Avenida Paulicéia|até 1000 - lado par
  sure   Avenida Paulicéia, 1501, São Paulo -> Avenida Paulicéia|de 1001 ao fim - lado ímpar
  sure   Rodovia Raposo do Mar, km 12, São Paulo/SP -> Rodovia Raposo do Mar|do km 10,000 ao km 15,000
  sure   Rod Raposo do Mar km12 São Paulo -> Rodovia Raposo do Mar|do km 10,000 ao km 15,000
  sure   Rod Raposo do Mar km 17,5 Butantã São Paulo -> Rodovia Raposo do Mar|do km 15,001 ao km 21,000
  # The number rather than the CEP tells the stretch.
  found  Rua Felipe Schmidt, 900, Florianópolis, 88900-005 -> Rua Felipe Schmidt|de 502/503 ao fim ! cep
  # Only the number would tell the CEPs of the street apart.
  half   Rua Felipe Schmidt, Florianópolis/SC -> Rua Felipe Schmidt
  half   Rua Felipe Schmidt, s/n, Centro, Florianópolis -> Rua Felipe Schmidt
  half   Avenida Paulicéia, São Paulo/SP -> Avenida Paulicéia
  half   logradouro=Avenida Paulicéia; cidade=São Paulo -> Avenida Paulicéia
  half   logradouro=Av Afonso Pena; numero=S/N; cidade=Belo Horizonte; uf=MG -> Avenida Afonso Pena
`);

// Parts, which stay the parts as which they are given.
testRows(`
  sure   logradouro=Rua Felipe Schmidt; cidade=Florianópolis; numero=340 -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Rua Felipe Schmidt; cidade=Florianópolis; numero=340 fundos -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Rua Felipe Schmidt; cidade=Florianópolis; numero=340 apto 2 -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Rua Felipe Schmidt; cidade=Florianópolis; numero=340, casa 900 -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Rua Felipe Schmidt; cidade=Florianópolis; numero=Lote 340 -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Rua Felipe Schmidt; cidade=Florianópolis; numero=nº 340 -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Rua Felipe Schmidt; cidade=Florianópolis; numero=340; complemento=apto 900 -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Rua Felipe Schmidt, 340; cidade=Florianópolis; complemento=apto nº 919 -> Rua Felipe Schmidt|até 500/501
  sure   Rua Felipe Schmidt, quinhentos e dois, Centro, Florianópolis -> Rua Felipe Schmidt|de 502/503 ao fim
  sure   Rua Felipe Schmidt, duzentos, Centro, Florianópolis -> Rua Felipe Schmidt|até 500/501
  sure   Rua Felipe Schmidt, nº mil quatrocentos e trinta e seis, Florianópolis -> Rua Felipe Schmidt|de 502/503 ao fim
  sure   logradouro=Rua Felipe Schmidt; cidade=Florianópolis; numero=dois mil e sessenta -> Rua Felipe Schmidt|de 502/503 ao fim
  sure   logradouro=Rua Felipe Schmidt; cidade=Florianópolis; numero=quinze -> Rua Felipe Schmidt|até 500/501
  half   logradouro=Rua Felipe Schmidt; cidade=Florianópolis; numero=quinze mil mil -> Rua Felipe Schmidt
  sure   Rua Felipe Schmidt, 340, em frente ao nº 919, Centro, Florianópolis -> Rua Felipe Schmidt|até 500/501
  sure   Rua Felipe Schmidt, 340, garagem 1400, Centro, Florianópolis -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Rua Felipe Schmidt, 340, apto 3; cidade=Florianópolis - SC -> Rua Felipe Schmidt|até 500/501
  sure   logradouro=Rua 149; numero=15; cidade=Goiânia; uf=GO -> Rua 149
  sure   logradouro=Rua 15; numero=149; cidade=Goiânia; uf=GO -> Rua 15
  sure   logradouro=Rua 1; numero=5; cidade=Goiânia; uf=GO -> Rua 1
  sure   logradouro=Avenida 136; numero=136; cidade=Goiânia -> Avenida 136
  sure   logradouro=Rua 12; numero=Chácara 148; bairro=Setor Habitacional Vicente Pires; cidade=Brasília -> Rua 12
  sure   logradouro=SHIN QI 9 Conjunto 5; numero=12; cidade=Brasília; uf=DF -> SHIN QI 9 Conjunto 5
  sure   logradouro=Quadra 1103 Sul Alameda 9; numero=12; bairro=Plano Diretor Sul; cidade=Palmas; uf=TO -> Quadra 1103 Sul Alameda 9
  sure   logradouro=Rua Sete de Setembro; numero=7; bairro=Boa Vista; cidade=Curitiba -> Rua Sete de Setembro|Curitiba/PR
`);

Deno.test("Matcher.match takes nothing from logradouro if numero is given", async () => {
  const { endereco, diferencas } = await match({
    logradouro: "Rua São Geraldo 3",
    numero: "25",
    cidade: "Belo Horizonte",
  });
  assertEquals(
    [endereco.logradouro, endereco.numero],
    ["Rua São Geraldo 3", "25"],
  );
  assertEquals(diferencas, []);
});

const SCHMIDT = { logradouro: "Rua Felipe Schmidt", cidade: "Florianópolis" };

/** Numbers of an address, and what is read from them. */
const READ: readonly (readonly [given: string, number: string])[] = [
  ["340", "340"],
  ["340 fundos", "340"],
  ["340 apto 2", "340"],
  ["Lote 340", "340"],
  ["nº 340", "340"],
  ["Nº340", "340"],
  ["n. 340", "340"],
  ["340-A", "340-A"],
  ["s/n", "s/n"],
];

for (const [given, number] of READ) {
  Deno.test(`Matcher.match reads the number of "${given}"`, async () => {
    const { endereco } = await match({ ...SCHMIDT, numero: given });
    assertEquals(endereco.numero, number);
  });
}
