import { assertEquals } from "@std/assert";
import type { Address } from "../../../../cep/record/address.ts";
import { address } from "../../_records.ts";
import { Service } from "../../_service.ts";
import { ask } from "./_peer.ts";

const V1 =
  '{"cep":"01310100","state":"SP","city":"São Paulo","neighborhood":"Bela Vista","street":"Avenida Paulista","service":"correios","ibge":{"city":"3550308","state":"35"}';

const ANSWERS:
  readonly (readonly [path: string, status: number, text: string])[] = [
    ["/api/cep/v1/01310100", 200, `${V1}}`],
    ["/api/cep/v1/01310-100/", 200, `${V1}}`],
    ["/api/cep/v1/01.310-100", 200, `${V1}}`],
    ["/api/cep/v1/cep%2001310100", 200, `${V1}}`],
    [
      "/api/cep/v2/01310-100",
      200,
      `${V1},"timezoneName":"America/Sao_Paulo","location":{"type":"Point","coordinates":{}}}`,
    ],
    [
      "/api/cep/v1/99999998",
      200,
      '{"cep":"99999998","state":"ZZ","city":"Cidade","neighborhood":"Distrito","street":"","service":"correios","ibge":{"city":"","state":""}}',
    ],
    [
      "/api/cep/v2/99999998",
      200,
      '{"cep":"99999998","state":"ZZ","city":"Cidade","neighborhood":null,"street":null,"service":"correios","ibge":{"city":"","state":""},"timezoneName":"America/Sao_Paulo","location":{"type":"Point","coordinates":{}}}',
    ],
  ];

const MALFORMED =
  '{"name":"CepPromiseError","message":"CEP deve conter exatamente 8 caracteres.","type":"validation_error","errors":[{"message":"CEP informado possui mais do que 8 caracteres.","service":"cep_validation"}]}';

const UNKNOWN =
  '{"name":"CepPromiseError","message":"Todos os serviços de CEP retornaram erro.","type":"service_error","errors":[{"name":"ServiceError","message":"CEP não encontrado na base dos Correios.","service":"correios"}]}';

const FAILURES = ["v1", "v2"].flatMap((version) => [
  ...["0131010", "013101000", "abc", "%00", "0131010%D9%A1"].map((cep) =>
    [`/api/cep/${version}/${cep}`, 400, MALFORMED] as const
  ),
  [`/api/cep/${version}/99999999`, 404, UNKNOWN] as const,
]);

for (const [path, status, text] of [...ANSWERS, ...FAILURES]) {
  Deno.test(`GET ${path} returns ${status} as BrasilAPI`, async () => {
    assertEquals(await ask(path), { status, type: "application/json", text });
  });
}

/** Records, and their service and coordinates in version 2. */
const PLACES: readonly (readonly [
  changes: Partial<Address>,
  service: string,
  coordinates: Record<string, string>,
])[] = [
  [{}, "correios", {}],
  [{ enderecos: 7 }, "correios", {}],
  [
    { latitude: -26.91, longitude: -49.06 },
    "correios",
    { longitude: "-49.06", latitude: "-26.91" },
  ],
  [
    { tipo_origem: "cnefe", latitude: 0.00001, longitude: -49.06 },
    "cnefe",
    { longitude: "-49.06", latitude: "0.00001" },
  ],
];

for (const [changes, service, coordinates] of PLACES) {
  Deno.test(`GET /api/cep/v2/:cep has the place of a record with ${JSON.stringify(changes)}`, async () => {
    await using opened = await Service.open({ records: [address(changes)] });
    const response = await opened.ask("/api/cep/v2/01900001");
    const body = await response.json();
    assertEquals(body.service, service);
    assertEquals(body.location, { type: "Point", coordinates });
  });
}
