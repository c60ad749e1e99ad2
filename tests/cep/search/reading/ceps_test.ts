/** CEPs in the text of an address. */
import { assertEquals } from "@std/assert";
import { match, testRows, useBrazil } from "./_rows.ts";

useBrazil();

testRows(`
  sure   80900-030 -> Rua Vicente Machado
  sure   80.900-030 -> Rua Vicente Machado
  sure   80900030 -> Rua Vicente Machado
  sure   CEP: 80.900-030 -> Rua Vicente Machado
  sure   8O90O-03O -> Rua Vicente Machado
  sure   CEP80900-030 -> Rua Vicente Machado
  sure   80900 030, 12 -> Rua Vicente Machado
  sure   Rua Vicente Machado CEP 80900- 030 -> Rua Vicente Machado
  sure   80900-030, 12, apto 3 -> Rua Vicente Machado
  sure   Rua Vicente Machado, 12 - Batel - Curitiba - PR - 80900-030 -> Rua Vicente Machado
  sure   80900-030, Rua Vicente Machado, 12, Batel, Curitiba/PR -> Rua Vicente Machado
  sure   cep=80900-030 -> Rua Vicente Machado
  sure   cep=80900030; numero=12 -> Rua Vicente Machado
  # Columns of fixed width.
  sure   RUA VICENTE MACHADO      000012CASA      BATEL          CURITIBA       PR80900030 -> Rua Vicente Machado
  # "Largo" and "Castelo" end in the letters of "RG" and "tel".
  sure   Rua Berlim 12 Campo Largo PR 83600-005 -> Rua Berlim
  sure   Rua Berlim, 12, Campo Largo PR 83600005 -> Rua Berlim
  sure   12 Rua Berlim, Campo Largo PR 83600005, Brazil -> Rua Berlim
  # A spreadsheet dropped the leading zero.
  sure   cep=1900020 -> Rua Augusto Stellfeld
  sure   Rua Augusto Stellfeld, São Paulo CEP 1900020 -> Rua Augusto Stellfeld
  # It made a number with decimals of the CEP.
  sure   cep=1900020.0 -> Rua Augusto Stellfeld
  sure   cep=80900030.0 -> Rua Vicente Machado
  sure   cep=80900030,00 -> Rua Vicente Machado
  # The column has more than the CEP.
  sure   cep='80900030 -> Rua Vicente Machado
  sure   cep=CEP 80900-030 -> Rua Vicente Machado
  sure   cep=80900-030 PR -> Rua Vicente Machado
  sure   cep=80900–030 -> Rua Vicente Machado
  sure   cep=80.900–030 (novo) -> Rua Vicente Machado
  sure   Rua Vicente Machado, 12, Curitiba/PR 80900–030 -> Rua Vicente Machado
  found  logradouro=Rua Vicente Machado; bairro=Batel; cidade=Curitiba; cep=CEP 80900005 -> Rua Vicente Machado ! cep
  # It stands in the column of another part.
  sure   logradouro=Rua Jacarandá; bairro=Lagoinha 30900040; cidade=Belo Horizonte -> Rua Jacarandá|Lagoinha (Pampulha)
  sure   logradouro=Rua Jacarandá, 5; cidade=Belo Horizonte - MG - CEP 30900-040 -> Rua Jacarandá|Lagoinha (Pampulha)
  # The CEP of another street, or of none.
  found  Rua Vicente Machado, 12, Batel, Curitiba/PR, 80900-005 -> Rua Vicente Machado ! cep
  found  Rua Vicente Machado, 12, Batel, Curitiba/PR, 80900-999 -> Rua Vicente Machado ! cep
  found  logradouro=Rua Vicente Machado; bairro=Batel; cidade=Curitiba; cep=123 -> Rua Vicente Machado ! cep
  likely R: V, 1118, Curitiba, PR CEP 80900-005 -> Rua Luiz de Souza ! logradouro
  # The CEP decides where the street is misspelt.
  found  Rua Viscente Maxadu, 12, Curitiba/PR, 80900-030 -> Rua Vicente Machado ! logradouro
  # Namesakes.
  sure   Rua Jacarandá, Belo Horizonte, 30900-040 -> Rua Jacarandá|Lagoinha (Pampulha)
  unsure 99999-999 ->
  unsure 00000-000 ->
`);

/** Digits that are no CEP. */
const NOT_A_CEP = [
  "Rua Vicente Machado, 12, Curitiba, fone 32231234",
  "Rua Vicente Machado, 12, Curitiba, tel. 80900-005",
  "Rua Vicente Machado, 12, Curitiba, whatsapp 80900005",
  "Rua Vicente Machado, 12, Curitiba, telefone para contato 80900005",
  "Rua Vicente Machado, 12, Curitiba, RG: 80900005",
  "Rua Vicente Machado, 12, Curitiba, 55667788",
  "Rua Vicente Machado, 12, Curitiba, CPF 809.000.058-30",
  "Rua Vicente Machado, 12, Curitiba (41) 99912-3456",
  "Rua Vicente Machado, 12, Curitiba, pedido 80900005",
];

for (const text of NOT_A_CEP) {
  Deno.test(`Matcher.match reads no CEP in "${text}"`, async () => {
    const { cep, endereco } = await match(text);
    assertEquals([endereco.cep, cep], ["", "80900030"]);
  });
}
