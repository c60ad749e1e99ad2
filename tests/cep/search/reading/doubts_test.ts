/** Addresses that fit a record well, and yet may mean another one. */
import { openCities } from "./_brazil.ts";
import { testRows, useBrazil } from "./_rows.ts";

useBrazil(() =>
  openCities([
    [
      "Macapá/AP",
      `
      68900005 | Rua Santa Lúcia | Residencial Lisboa
      68900010 | Rua Santa Luzia | Vila Europa
      68900015 | Rua Um | Jardim Equador
      68900020 | Rua Sergipe | Vila Egito
      68900025 | Rua Projetada H | Vila Egito
    `,
    ],
    [
      "Cametá/PA",
      `
      68400005 | Passagem Tamoios | Centro Histórico
      68400010 | Rua Dois 9 | São Benedito
      68400015 | Rua Aparecida | São Benedito
      68400020 | 2ª Travessa Tupi | Centro Histórico
    `,
    ],
    [
      "Sarzedo/MG",
      `
      32450005 | Rodovia MG-409 Km 12 | Chácara Maracanã
      32450010 | Rua Projetada | Liberdade
      32450015 | Rua Projetada | Jardim Paulista
      32450020 | Travessa Projetada 20 | Jardim Paulista
      32450025 | Rua Cinco 5 | Cidade Alta
    `,
    ],
    [
      "Brasília/DF",
      `
      70900005 | QNB 5 | Taguatinga Norte
      70900010 | QNL 5 Conjunto H | Taguatinga Norte
      70900015 | Quadra 11 | Setor Oeste
      70900020 | Quadra 11 Conjunto H | Setor Leste
      70900025 | SQS 415 Bloco A | Asa Sul
      70900030 | SQS 415 Bloco H | Asa Sul
      70900035 | Quadra 1 Conjunto A | Setor Norte (Gama)
      70900040 | Quadra 323 Conjunto Q | Itapoã
      70900045 | Quadra 5 Conjunto Q | Paranoá
      70900050 | Quadra 5 Conjunto I | Paranoá
      70900055 | QNM 12 Conjunto M | Ceilândia Norte (Ceilândia)
      70900060 | SHIN QL 2 Conjunto 4 | Lago Norte
      70900070 | QI 32 Conjunto D | Guará II
      70900900 | CDD Guará II | QE 27 Conjunto P, 1296 | Guará II
      70900065 | QR 630 Conjunto 12 | Samambaia Norte (Samambaia)
    `,
    ],
    [
      "Caxias do Sul/RS",
      `
      95000005 | Rua Santa Luzia | Jardim São Paulo
      95000010 | Vila São Paulo | Canelas
      95000015 | Rua Tiradentes | São Damião | de 981 ao fim - lado ímpar
      95000020 | Rua Tiradentes | São Damião | de 814 a 1896 - lado par
    `,
    ],
    [
      "Balneário Camboriú/SC",
      `
      88300005 | Avenida Aracati | Vila Bernadete
      88300010 | Avenida Costa Rica | Centro
    `,
    ],
    [
      "Santana/AP",
      `
      68925005 | Rua Sergipe | Vila Egito
      68925010 | Rua Acesso 4 | Vila Europa
      68925015 | Rua Ipê Amarelo | Vila Europa
    `,
    ],
    ["Jardim/CE", "63290005 | Rua Tucunaré | Área Rural de Jardim"],
    ["Porto Alegre/RS", "90000005 | Rua São José | Centro"],
    ["Cruz Alta/RS", "98000005 | Rua Ijuí | Bonini"],
    ["Santa Cruz do Sul/RS", "96800005 | Rua das Cerejeiras | Canaã"],
    ["Caraá/RS", "95515000"],
    [
      "Sinop/MT",
      `
      78550005 | Rua Geraldo Lourival Correia | Jardim Itália
      78550010 | Rua Pedro 2 | Centro
      78550015 | Rua Amélia | Jardim Itália | (Lot Alvorada)
      78550020 | Rua Alcides Vieira | Barreiros II
      78550025 | Rua Nilo Moreira | Jardim Holanda | lado ímpar
      78550030 | Rua Prudente de Moraes | Centro
      78550035 | Rua Jesuíno Ruy Costa | Centro
      78550040 | Rua Jorge Lima Bonetto | Centro
      78550045 | Rua Regina Leão | Centro
      78550050 | Rua Leão | Jardim Itália
      78550055 | Rua Dom Miguel Ribeiro | Jardim Itália
      78550060 | Rua Nilo Cairo | Centro
      78550065 | Avenida Santa Adélia | Jardim Holanda
      78550070 | Rua Santa Amélia | Barreiros II
      78550075 | Rua Ana Mariana Souza | Centro
      78550080 | Rua Sebastião Couto | Centro
      78550085 | Rua São Paulo | Jardim Holanda
      78550090 | Rua Santa Luzia | Jardim Itália
      78550095 | Rua Irmã Lúcia | Centro
      78550100 | Rua Lima | Jardim Itália
      78550105 | Rua Entre Folhas | Centro | lado ímpar
      78550110 | Rua Santa Clara | Jardim Itália
      78550135 | Rua Coreia | Jardim Itália
      78550140 | Rua Lourenço | Jardim Itália
      78550130 | Rua Ibiam | Ibiam (Progresso)
      78550120 | Rua Cinco de Novembro | Centro
      78550125 | Rua Quinze de Novembro | Barreiros II
    `,
    ],
    [
      "Goiânia/GO",
      `
      74000005 | Rua Ipanema | Setor Sergipe
      74000010 | Rua Anápolis | Centro
      74000015 | Rua Catalão | Centro
    `,
    ],
    [
      "Palmas/TO",
      `
      77000005 | Rua Araguaia | Centro
      77000010 | 206 Sul Alameda 8 | Plano Diretor Sul
      77000015 | Rua Cabo Verde | Setor Europa
      77000020 | Rua 4 | Jardim Aureny | (Lot Turim)
      77000025 | Rua Saturno | Jardim Sírius | lado par
      77000030 | Rua Saturno | Jardim Sírius | lado ímpar
    `,
    ],
    ["Araguaína/TO", "77800005 | Rua Nilson Telles | Residencial Verde"],
    ["Araguanã/TO", "77855000"],
    ["Belo Horizonte/MG", "30900005 | Rua Neusa Azevedo | Taquari"],
    ["Belo Oriente/MG", "35195000"],
    ["São Carlos/SP", "13560005 | Rua Episcopal | Centro"],
    ["São Carlos (Porto Feliz)/SP", "17603500"],
    ["Porto Feliz/SP", "18540000"],
    ["Bofete/SP", "18590000"],
    ["Cuiabá/MT", "78000005 | Rua Diamantino | Centro"],
    ["Vassouras (Sinop)/MT", "78559000"],
    [
      "São Vicente/SP",
      `
      11300005 | Rua Piracema | Nova Esperança
      11310005 | Rua Piracema | Vila Amélia
      11320005 | Rua Mário Pinto | Planalto
    `,
    ],
    ["Natal/RN", "59000005 | Rua Mossoró | Centro"],
    [
      "Recife/PE",
      `
      50000005 | Rua Olinda | Centro
      50000010 | Rua Recife | Residencial Santa Bárbara
    `,
    ],
    ["Maceió/AL", "57000005 | Rua Penedo | Centro"],
    [
      "Rio de Janeiro/RJ",
      `
      20900005 | Vila das Begônias | Jardim Monte Carlo
      20900010 | Rua Presidente Tancredo Neves | Botafogo
    `,
    ],
    ["Presidente Tancredo Neves/BA", "45416000"],
    ["São José do Belmonte/PE", "56950000"],
  ])
);

testRows(`
  # The name in the neighbourhood is spelt in another way, but stands elsewhere.
  doubtful r. sta luzia, 46, residencial lisboa, macapá, ap ->
  # Another type of a lane.
  doubtful Caminho Tamoios, 435, Cametá, Pará ->
  # The number of the building would be within the name.
  doubtful Rodovia MG-409 Km 758, 12, Chácara Maracanã, Sarzedo, MG ->
  doubtful Rua Cinco 514, 5, Cidade Alta, Sarzedo, MG ->
  # The first number may be the end of a name that is in no directory.
  doubtful rua Projetada 180, 774, Loteamento Boa Vista, Sarzedo (MG) ->
  doubtful Rua Projetada 200, 645, Jardim Paulista, Sarzedo/MG Cep.: 32450-020 ->
  # Streets of towns with one CEP are in no directory.
  doubtful Avenida Costa Rica, 746, Centro ->
  doubtful Beco Aracati, 604, Centro ->
  # A municipality, and a street of others.
  doubtful Presidente Tancredo Neves ->
  likely   Presidente Tancredo Neves -> |Presidente Tancredo Neves
  sure     Presidente Tancredo Neves - BA -> |Presidente Tancredo Neves
  # Another lane of a series, and the letter of a building.
  doubtful Travessa Tupi, 40, Centro Histórico, Cametá/PA ->
  doubtful Rua Projetada, 842-H, Vila Egito, Macapá/AP ->
  # Codes of blocks are never misspelt.
  doubtful QNL 5 Conjunto Q casa 7, Taguatinga Norte, Brasília/DF ->
  doubtful 11 Conjunto P casa 17, Setor Leste, Brasília/DF ->
  likely   bl. a apt 203 - sqs 415 bloco h, nº 866, asa sul, brasília - df -> SQS 415 Bloco H ! logradouro
  # A name with one number, in another neighbourhood.
  doubtful Rua 1, nº 1309, Jardim Sta. Luzia, Macapá, AP ->
  # The city may have a longer name.
  doubtful Rua Sergipe nr 177, Aeroporto, F. de Santana ->
  doubtful Rua Sergipe nr 177, parque Santana ->
  doubtful Rua Tucunaré, 715, Jardim Honduras ->
  sure     Rua Tucunaré, 715, Jardim -> Rua Tucunaré|Jardim/CE
  # The column of the city has a neighbourhood that every city has.
  doubtful logradouro=Rua São José; numero=165; bairro=Cruz Alta; cidade=Centro; uf=RS ->
  # Another city of the state, whose name is that of a place here, or like it.
  doubtful Rua Ipê Amarelo, 50, Santana, Macapá/AP ->
  sure     Rua Ipê Amarelo, 50, Macapá, Santana/AP -> Rua Ipê Amarelo ! bairro
  doubtful logradouro=Rua das Cerejeiras; numero=310; bairro=Parque América; cidade=Caraá; uf=RS ->
  # The CEP is that of another street.
  doubtful VILA SAO PAULO, 869, CAXIAS DO SUL, RIO GRANDE DO SUL CEP 95000 005 ->
  found    R Tiradentes, 832, S. Damião, Caxias do Sul CEP 95000 015 -> Rua Tiradentes|de 814 a 1896 - lado par ! cep
  # The street stands before, and what was found is a neighbourhood or a unit.
  doubtful AC SANTO ANTÔNIO 220, vila begônias, rio de janeiro, rj ->
  doubtful R: E QD. 80 LT. 29, VL IPANEMA - GOIÂNIA/GO ->
  doubtful R SANT CRUZ 99 AP34 ATRAS DO SUPERMERCADO, CAMETA ->
  # Another city of the state, which has a name like it.
  doubtful Rua Nilson Telles, 102, Residencial Verde, Araguanã/TO ->
  doubtful Rua Neusa Azevedo, 1431, Taquari, Belo Oriente/MG ->
  # A village with the name of a city, for which only a number is given.
  doubtful 668, São Carlos/SP, 01000100 ->
  doubtful numero=668; cidade=São Carlos; uf=SP ->
  doubtful cidade=São Carlos; uf=SP ->
  unsure   bairro=Tiradentes; cidade=Sinop; uf=MT; complemento=apto 4 ->
  sure     bairro=Vassouras; cidade=Sinop; uf=MT -> |Vassouras/MT
  # Another city before the state, without a comma, or after its own.
  unsure   Rua Nilo Cairo, 10 Centro Cuiabá (MT) ->
  unsure   Rua Nilo Cairo, 10, Centro, Sinop, Cuiabá/MT ->
  unsure   Bofete, apto 3 - Porto Feliz/SP ->
  # A city within the name of a neighbourhood.
  doubtful logradouro=Rua Penedo; numero=77; bairro=Setor Bela Vista (Maceió) ->
  # Blocks, whose names recur in every region.
  doubtful Quadra 1 Conjunto A casa 22, Taguatinga Norte (Taguatinga), Brasília/DF ->
  doubtful Quadra 323 Conjunto Q, Guará II, Brasília/DF ->
  doubtful Q. 5 Conjunto X, lote 9, Paranoá, Brasília/DF ->
  doubtful QNN 12 Conj. M lote 4, Ceilândia Norte (Ceilândia), Brasília/DF ->
  doubtful SHIS QL 2 Conj 4 ap 102, Lago Norte, Brasília - DF ->
  doubtful Quadra 206 Sul Rua 8, Lote 15, Palmas/TO ->
  likely   QR 630 Conjunto 12-A, Samambaia Norte, Brasília/DF -> QR 630 Conjunto 12 ! logradouro
  likely   QR 630 Conjunto 12-A, 7, Samambaia Norte, Brasília/DF -> QR 630 Conjunto 12 ! logradouro
  doubtful QR 630 Conjunto 12B casa 4, Samambaia Norte, Brasília/DF ->
  sure     QR 630 Conjunto 12 casa 4-B, Samambaia Norte, Brasília/DF -> QR 630 Conjunto 12
  # Another estate, title, number of a series, spelling of a person.
  doubtful Rua 4, qd 6 lt 17, Loteamento do Lago, Jardim Aureny, Palmas/TO ->
  doubtful Rua Capitão Verde, 53, Setor Europa, Palmas/TO ->
  doubtful Rua 4, 652, Santana ->
  doubtful Rua 4, 652, Vila Europa, Santana/AP ->
  doubtful Rua Projetada 33, s/n, Jardim Paulista, Sarzedo/MG ->
  doubtful Rua Projetada 33, qd 2 lt 9, Jardim Paulista, Sarzedo/MG ->
  doubtful Rua Maria Pinto, 10, Planalto, São Vicente/SP ->
  # The number of a mailbox is that of no building.
  half     Rua Saturno, cx postal 120, Jardim Sírius, Palmas/TO -> Rua Saturno
  # The CEP and the neighbourhood are those of two streets of one name.
  doubtful Rua Piracema, 229, Nova Esperança, São Vicente/SP 11310-005 ->
  doubtful r: tiresa cavaucante pinto 62 ap. 1201 perto da igreja sao jose ->
  # A woman or a man, a saint of nearly that name, a letter for a name.
  doubtful Rua Geralda Lourival Correia, 2327, Jardim Itália, Sinop/MT ->
  doubtful Rua Sebastiana Couto, 163, Centro, Sinop/MT ->
  doubtful Rua São Paulino, 158, Jardim Holanda, Sinop/MT ->
  doubtful Rua Ana Maria Souza, 15, Centro, Sinop/MT ->
  doubtful Rua P-2, qd 93 lt 1, Centro, Sinop/MT ->
  doubtful Rua Santa Lúcia, 188, Jardim Itália, Sinop/MT ->
  # A name of one word, which others have as it is written.
  doubtful Rua Correia, 309, Sinop/MT ->
  # A short word alone, or one that may end a longer name.
  doubtful lima, 117, condomínio carmem, Sinop/MT ->
  doubtful Rua Leso, 40, Jardim Itália, Sinop/MT ->
  sure     Rua Lorenço, 309, Sinop/MT -> Rua Lourenço ! logradouro
  sure     Rua Regina Leso, 40, Centro, Sinop/MT -> Rua Regina Leão ! logradouro
  # Two spellings of one name, initials, words that are cut off.
  sure     Rua Prudente de Morais, 81, Centro, Sinop/MT -> Rua Prudente de Moraes ! logradouro
  sure     Rua Jesuíno Rui Costa, 81, Centro, Sinop/MT -> Rua Jesuíno Ruy Costa ! logradouro
  sure     Rua J L Bonetto, 594, Centro, Sinop/MT -> Rua Jorge Lima Bonetto ! logradouro
  sure     Rua Geraldo Lourival Co, 5, Jardim Itália, Sinop/MT -> Rua Geraldo Lourival Correia ! logradouro
  # The floor is not the number of the building.
  sure     Rua Nilo Cairo 2378 3º andar, Centro, Sinop/MT -> Rua Nilo Cairo
  # A number on the other side of the street.
  doubtful Rua Nilo Moreira, 700, Jardim Holanda, Sinop/MT ->
  sure     Rua Nilo Moreira, 701, Jardim Holanda, Sinop/MT -> Rua Nilo Moreira
  # Another estate, part of a neighbourhood, street that the neighbourhood has.
  doubtful Rua Amélia, qd 10 lt 15, Loteamento São Francisco, Jardim Itália, Sinop/MT ->
  sure     Rua Amélia, qd 10 lt 15, Loteamento Alvorada, Jardim Itália, Sinop/MT -> Rua Amélia
  doubtful Rua Alcides Vieira, 76, Barreiros I, Sinop/MT ->
  doubtful Rua Alcides Vieira, 76, Barreiros, Sinop/MT ->
  doubtful Avenida Santa Adélia, 41, Barreiros II, Sinop/MT ->
  # The name of a building.
  doubtful Condomínio Dom Miguel Ribeiro, Jardim Itália, Sinop/MT ->
  doubtful Chácara Dom Miguel Ribeiro, Jardim Itália, Sinop/MT ->
  # A neighbourhood that has the name of a street.
  doubtful Jd. São Paulo, 529, Sinop/MT ->
  doubtful logradouro=Pq. Sta. Clara; numero=584; cidade=Sinop; uf=MT ->
  doubtful logradouro=Povoado Santa Clara; numero=s/n; bairro=Rural; cidade=Sinop; uf=MT ->
  doubtful Distrito de Santa Clara, km 5, Sinop/MT ->
  doubtful ap 201 B. São Paulo - Sinop MT ->
  # The city has the name of a street, or the neighbourhood that of one.
  doubtful Residencial Santa Bárbara, casa 12, Recife - PE ->
  doubtful Rua Acesso, quadra 3 lote 8, Ibiam (Progresso), Sinop/MT ->
  # The CEP and the neighbourhood are those of a street with another number.
  doubtful Rua Cinco de Novembro, 10, Barreiros II, Sinop/MT 78550125 ->
  # A letter of a unit is no initial.
  doubtful QI 32 apto 443C, Guará II, Brasília/DF ->
  # A street near the address, before it.
  sure     Próximo à Rua Dom Miguel Ribeiro - Rua Nilo Cairo nº 1227 - Centro - Sinop/MT -> Rua Nilo Cairo
  # A name that begins like a reference.
  sure     Rua Entre Folhas, 1433, Centro, Sinop/MT -> Rua Entre Folhas
  doubtful Rua Entre Folhas, 1434, Santa Clara, Sinop/MT ->
  # The column of the street has another one.
  doubtful logradouro=Condomínio Bento Lima das Neves; numero=785; complemento=Santa Clara; cidade=Sinop; uf=MT ->
  # A note of a call.
  sure     CLIENTE INFORMA END. RUA NILO CAIRO NR 10 BAIRRO CENTRO MUNICIPIO SINOP MT - LIGAR ANTES -> Rua Nilo Cairo
  # A lane of a street.
  sure     2ª Travessa da Rua Tupi, 40, Centro Histórico, Cametá/PA -> 2ª Travessa Tupi
  # Another type, of the same CEP and neighbourhood.
  likely   Travessa Nilo Cairo, 10, Centro, Sinop/MT -> Rua Nilo Cairo ! logradouro
  sure     Travessa Nilo Cairo, 10, Centro, Sinop/MT 78550060 -> Rua Nilo Cairo ! logradouro
  # A receiver, tags of a web page, other short forms of "bairro".
  sure     logradouro=A/C Ana Paula, Rua Nilo Cairo; numero=82; bairro=Centro; cidade=Sinop; uf=MT -> Rua Nilo Cairo
  sure     Destinatário Ana Paula, Rua Nilo Cairo, 82, Centro, Sinop/MT -> Rua Nilo Cairo
  sure     Rua Nilo Cairo, 82<br>Centro<br/>Sinop/MT -> Rua Nilo Cairo
  sure     Rua Nilo Cairo, 82, poste 12, Bº Centro, Sinop/MT -> Rua Nilo Cairo
  sure     Rua Nilo Cairo 82 B: Centro Sinop MT -> Rua Nilo Cairo
  # A state that is glued to its city.
  sure     R.Nilo Cairo,382 Centro SinopMT -> Rua Nilo Cairo
  # Towns with one CEP have such neighbourhoods, too.
  doubtful Rua Alcides Vieira, 205, Barreiros II ->
`);
