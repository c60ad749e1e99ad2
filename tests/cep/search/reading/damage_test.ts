/** Texts whose accents a program has damaged. */
import { assertEquals } from "@std/assert";
import { repairText } from "../../../../cep/search/reading/repair_text.ts";
import { testRows, useBrazil } from "./_rows.ts";

useBrazil();

// UTF-8 read as ISO-8859-1 or as windows-1252, once or twice.
testRows(`
  sure   Rua SÃ£o JoÃ£o, 12, GoiÃ¢nia/GO -> Rua São João|Goiânia/GO
  sure   RUA CORONEL WANDERLEY JÃšNIOR, FLORIANÃ“POLIS -> Rua Coronel Wanderley Júnior
  sure   RUA JOAQUIM ASSUMPÃ‡ÃƒO, CURITIBA -> Rua Joaquim Assumpção
  sure   Rua SÃÂ£o JoÃÂ£o, GoiÃ¢nia -> Rua São João|Goiânia/GO
`);

// Letters that a character set lacks, and that became signs.
testRows(`
  sure   Rua S?o Jo?o, 12, Goi?nia/GO -> Rua São João|Goiânia/GO
  sure   Rua S??o Jo??o, Goi??nia -> Rua São João|Goiânia/GO
  sure   Rua S\uFFFDo Jo\uFFFDo, Goi\uFFFDnia -> Rua São João|Goiânia/GO
  sure   Rua Jos? Bonif?cio, Jo?o Pessoa/PB -> Rua José Bonifácio|João Pessoa/PB
  sure   Rua Joaquim Assump??o, Curitiba -> Rua Joaquim Assumpção
  sure   Avenida Get?lio Vargas, S?o Paulo -> Avenida Getúlio Vargas|São Paulo/SP
  sure   logradouro=Rua Ant?nio Pereira; cidade=S?o Paulo; uf=SP -> Rua Antônio Pereira|São Paulo/SP
  sure   Rua S?o Jo?o ? Boa Vista ? Goi?nia -> Rua São João|Goiânia/GO
  sure   onde fica a Rua das Flores em Curitiba? -> Rua das Flores|Curitiba/PR
`);

// Letters that are gone.
testRows(`
  sure   Rua Antnio Pereira, 12, So Paulo -> Rua Antônio Pereira|São Paulo/SP ! logradouro
  sure   Rua So Jos, So Paulo -> Rua São José|São Paulo/SP ! logradouro
`);

// Digits that a scanner took for letters.
testRows(`
  sure   Rua V1cente Machado, 12, Batel, Cur1tiba/PR -> Rua Vicente Machado
  sure   Rua 5ão J0ão, 12, Goiânia/GO -> Rua São João|Goiânia/GO
  sure   Avenida Getúlio Vargas, 12, São Pau1o -> Avenida Getúlio Vargas|São Paulo/SP
  sure   Rua Vicente Machado, 12, bloco5b apto1c, Batel, Curitiba/PR -> Rua Vicente Machado
`);

/** Texts that are as they should be. */
const INTACT = ["Conceição", "MAÇÃ", "Ângela", "Ã", "São João", "Â 12", "1ª"];

for (const text of INTACT) {
  Deno.test(`repairText returns "${text}" as it is`, () => {
    assertEquals(repairText(text), text);
  });
}

Deno.test("repairText restores every letter of Portuguese from its UTF-8", () => {
  const letters = "áàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇºª";
  const bytes = new TextEncoder().encode(letters);
  for (const encoding of ["iso-8859-1", "windows-1252"]) {
    const misread = encoding === "iso-8859-1"
      ? String.fromCharCode(...bytes)
      : new TextDecoder(encoding).decode(bytes);
    assertEquals(repairText(misread), letters);
  }
});
