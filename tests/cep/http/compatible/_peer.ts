/** Service with records that differ in the values other services care about. */
import { address } from "../../_records.ts";
import { Service, type ServiceOptions } from "../../_service.ts";

/** Street with a complement. */
export const STREET = address({
  cep: "01310100",
  logradouro: "Avenida Paulista",
  complemento: "de 612 a 1510 - lado par",
  bairro: "Bela Vista",
  cidade: "São Paulo",
  codigo_ibge: "3550308",
});

/** Large user whose name has characters with a meaning in XML and JSON. */
export const LARGE_USER = address({
  cep: "01310900",
  logradouro: "Avenida Paulista, 900",
  complemento: "",
  bairro: "Bela Vista",
  cidade: "São Paulo",
  codigo_ibge: "3550308",
  tipo_origem: "grande_usuario",
  nome: 'Irmãos <A & B> "Ltda" \\ </script>',
});

/** Locality without streets, in a state and municipality without facts. */
export const LOCALITY = address({
  cep: "99999998",
  logradouro: "",
  complemento: "",
  bairro: "Distrito",
  cidade: "Cidade",
  uf: "ZZ",
  codigo_ibge: "",
  tipo_origem: "localidade",
});

const RECORDS = [STREET, LARGE_USER, LOCALITY];

/** Opens a service of these records. */
export function openPeer(options: ServiceOptions = {}): Promise<Service> {
  return Service.open({ records: RECORDS, ...options });
}

/** Status, media type and text of a response. */
export async function ask(
  path: string,
  options?: ServiceOptions,
): Promise<{ status: number; type: string; text: string }> {
  await using service = await openPeer(options);
  const response = await service.ask(path);
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, type, text: await response.text() };
}
