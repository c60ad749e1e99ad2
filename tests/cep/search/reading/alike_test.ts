/** Addresses that only seem to name a record: by a letter, a title, a half. */
import { openCities } from "./_brazil.ts";
import { testRows, useBrazil } from "./_rows.ts";

const CITIES = [
  ["Aracaju/SE", "49000"],
  ["Belém/PA", "66000"],
  ["Campinas/SP", "13000"],
  ["Curitiba/PR", "80000"],
  ["Joinville/SC", "89200"],
  ["Manaus/AM", "69000"],
  ["Niterói/RJ", "24000"],
  ["Vitória/ES", "29000"],
] as const;

useBrazil(() =>
  openCities([
    ...CITIES.map(([city, sector]) =>
      [city, `${sector}005 | Rua São José | Centro`] as const
    ),
    [
      "Palmas/TO",
      `
      77000005 | Rua Xingu | Centro
      77000010 | Rua Quatro | Residencial dos Estados
      77000015 | Avenida Nereu Ramos - N | Centro
      77000020 | Rua Ipê | Centro | até 499/500
      77000025 | Rua Ipê | Centro | de 501/502 ao fim
    `,
    ],
    [
      "Guaíba/RS",
      `
      92000005 | Rua Rio Verde | Vila Divino
      92000010 | Rua Dona Regina de Souza | Vila Divino
      92000015 | Rua Ana Josefa Carrasco | Centro
      92000020 | Ladeira São José | Centro
      92000025 | Rua 2 | Jardim Souza
      92000030 | Rua Amapá | Vila Nossa Senhora do Carmo (Planalto)
      92000035 | Rua Sant'Ana | Conjunto São Paulo (Planalto)
    `,
    ],
  ])
);

testRows(`
  # A letter at the end of a name is no "nº".
  doubtful Rua Xingu-N, 240, Centro, Palmas/TO ->
  doubtful Rua Xingu N, 240, Centro, Palmas/TO ->
  doubtful Rua Xingu N., 240, Centro, Palmas/TO ->
  doubtful logradouro=Rua Quatro N; numero=866; bairro=Residencial dos Estados; cidade=Palmas; uf=TO ->
  sure   Avenida Nereu Ramos N, 240, Centro, Palmas/TO -> Avenida Nereu Ramos - N
  # A mark of a number is one, glued or not.
  sure   Rua Ipê n 42, Centro, Palmas/TO -> Rua Ipê|até 499/500
  sure   Rua Ipê nº 642, Centro, Palmas/TO -> Rua Ipê|de 501/502 ao fim
  sure   Rua Ipê n642 Centro Palmas/TO -> Rua Ipê|de 501/502 ao fim
  sure   Rua Ipê, N642, Centro, Palmas/TO -> Rua Ipê|de 501/502 ao fim
  sure   Rua Xingu, nº, Centro, Palmas/TO -> Rua Xingu
  sure   Rua Xingu nº, Centro, Palmas/TO -> Rua Xingu
  # "R." is Rua, neither Rio nor an initial.
  doubtful R. Verde, 1442, Vila Divino, Guaíba/RS ->
  doubtful R. Souza, 831, Vila Divino, Guaíba/RS ->
  sure   R. Rio Verde, 1442, Vila Divino, Guaíba/RS -> Rua Rio Verde
  sure   R. R. Verde, 1442, Vila Divino, Guaíba/RS -> Rua Rio Verde
  # Another name, although the one begins the other.
  doubtful R. Ana José Carrasco, 637, Centro, Guaíba/RS ->
  # A neighbourhood with a numeral is no street of that number.
  doubtful Jardim Souza II, 849, Guaíba/RS ->
  sure   Rua 2, 849, Jardim Souza, Guaíba/RS -> Rua 2
  # What stands before the brackets of a neighbourhood tells it.
  doubtful R Amapá, 51, Conjunto São Paulo (Planalto), Guaíba/RS ->
  sure   R Amapá, 51, Vila Nossa Senhora do Carmo (Planalto), Guaíba/RS -> Rua Amapá
  # A rare type of a common name.
  doubtful Ladeira São José, 316, Jardim Souza, Guaíba/RS ->
`);
