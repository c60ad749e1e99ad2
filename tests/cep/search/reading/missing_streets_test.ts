/** Addresses of streets that the directory lacks, although it has their names. */
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
      [
        city,
        `
          ${sector}005 | Rua Rui Barbosa | Centro
          ${sector}010 | Rua Antônia Zoraide de ${city.slice(0, -3)} | Centro
          ${sector}015 | Rua do Porto | Bela Vista
        `,
      ] as const
    ),
    [
      "Goiânia/GO",
      `
        74000005 | Rua Pintado | Vila Oscar
        74000900 | Condomínio Egito | Rua das Garças, 589 | Vila Oscar
      `,
    ],
  ])
);

testRows(`
  # Every city has a street of the name, so that this is another one.
  doubtful Rua Rui Barbosa, 10, Bela Vista, Manaus/AM ->
  doubtful logradouro=Rua Rui Barbosa; numero=10; bairro=Bela Vista; cidade=Niterói; uf=RJ ->
  sure     Rua Rui Barbosa, 10, Centro, Manaus/AM -> Rua Rui Barbosa|Manaus
  sure     Rua Rui Barbosa, 10, Manaus/AM -> Rua Rui Barbosa|Manaus
  sure     Rua Rui Barbosa, 10, Bela Vista, Manaus/AM, 69000-005 -> Rua Rui Barbosa|Manaus ! bairro
  # Only this city has the name, so that the neighbourhood is wrong.
  sure     Rua Antônia Zoraide de Manaus, 10, Bela Vista, Manaus/AM -> Rua Antônia Zoraide de Manaus ! bairro
  # A street and an avenue of one name.
  found    Avenida Pintado, 10, Vila Oscar, Goiânia/GO -> Rua Pintado ! logradouro
  doubtful Avenida Pintado, 10, Vila Oscar, Goiânia/GO ->
  # The CEP of a large user is not that of its street.
  doubtful Rua das Garças, 12, Vila Oscar, Goiânia/GO ->
`);
