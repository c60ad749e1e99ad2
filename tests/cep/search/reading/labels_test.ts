/** Labels of forms around the parts of an address, and what stands for none. */
import { testRows, useBrazil } from "./_rows.ts";

useBrazil();

// Labels, with and without a colon.
testRows(`
  sure   Logradouro: Rua Vicente Machado Número: 12 Bairro: Batel Cidade: Curitiba Estado: PR CEP: 80900030 -> Rua Vicente Machado
  sure   Rua/Av: Rua Vicente Machado n: 12 compl: casa 2 bairro: Batel cidade: Curitiba uf: PR -> Rua Vicente Machado
  sure   R: Rua Vicente Machado, 12 B: Batel Cid: Curitiba UF: PR -> Rua Vicente Machado
  sure   R: Avenida Afonso Pena, 12 B: Centro Cid: Belo Horizonte UF: MG -> Avenida Afonso Pena|até 1499/1500
  sure   End.: Rua Vicente Machado, 12 Bairro.: Batel Munic.: Curitiba Est.: PR -> Rua Vicente Machado
  sure   Rua Vicente Machado, 12 - Bair. Batel - Mun. Curitiba PR -> Rua Vicente Machado
  sure   Rua Vicente Machado, 12, bairro Batel, município de Curitiba, estado do PR -> Rua Vicente Machado
  sure   Rua: Vicente Machado, 12, Batel, Curitiba/PR -> Rua Vicente Machado
`);

// Columns of fixed width, and blanks that are all wide.
testRows(`
  sure   Rua Vicente Machado   12   Batel   Curitiba   PR -> Rua Vicente Machado
  sure   logradouro=Rua   Vicente   Machado; numero=12; bairro=Batel; cidade=Curitiba; uf=PR -> Rua Vicente Machado
  sure   Rua | Vicente Machado | 12 | Batel | Curitiba | PR -> Rua Vicente Machado
`);

// What spreadsheets write in place of a value.
testRows(`
  sure   logradouro=Rua Vicente Machado 12; numero=NULL; bairro=Batel; cidade=Curitiba; uf=PR -> Rua Vicente Machado
  sure   logradouro=Rua Vicente Machado; numero=não informado; complemento=-; bairro=Batel; cidade=Curitiba; uf=PR -> Rua Vicente Machado
  sure   logradouro=Rua Vicente Machado; numero=12; bairro=n/a; cidade=Curitiba; uf=PR; cep=null -> Rua Vicente Machado
`);

// Former names, in words: `antiga`, `ex`.
testRows(`
  sure   Rua Vicente Machado (antiga Rua Luiz de Souza), 12, Batel, Curitiba/PR -> Rua Vicente Machado
  sure   Rua Vicente Machado, ex Rua Luiz de Souza, 12, Batel, Curitiba/PR -> Rua Vicente Machado
  sure   logradouro=Rua Vicente Machado (ant. Rua Luiz de Souza); numero=12; bairro=Batel; cidade=Curitiba -> Rua Vicente Machado
  sure   Rua do Antigo Moinho, 12, Itacorubi, Florianópolis -> Rua do Antigo Moinho
`);

// Blocks without a blank before their letter.
testRows(`
  sure   QNM 18 conjB casa 4, Ceilândia Sul, Brasília/DF -> QNM 18 Conjunto B
  sure   Quadra 8 cjG casa 4, Sobradinho, Brasília/DF -> Quadra 8 Conjunto G
`);
