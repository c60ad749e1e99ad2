/**
 * Servers that do the least that Deno can do for an answer. The first argument
 * is the port to listen on. Without a second one the answer is a constant body,
 * as long as a record usually is; a second one names a JSON file of bodies by
 * path, which are then sent with the headers that the service sends.
 *
 * @module
 */
const BODY = JSON.stringify({
  cep: "12345678",
  logradouro: "Rua das Laranjeiras Azuis",
  complemento: "de 100 a 298 - lado par",
  bairro: "Jardim das Invenções",
  distrito: "",
  cidade: "Exemplo da Serra",
  uf: "SP",
  codigo_ibge: "3590000",
  tipo_logradouro: "Rua",
  tipo_origem: "logradouro",
  nome: "",
  nome_origem: "LOG_LOGRADOURO_SP.TXT",
});

const HEADERS = { "content-type": "application/json" };

const HEADERS_OF_THE_SERVICE: readonly [name: string, value: string][] = [
  ["x-request-id", "abcd1234"],
  ["access-control-allow-origin", "*"],
  ["etag", '"1f40iph"'],
  ["cache-control", "max-age=300"],
  ["vary", "Accept-Encoding"],
];

function answerConstant(): Response {
  return new Response(BODY, { headers: HEADERS });
}

/** Answers what it is told to, as the service would write it on the wire. */
function replay(bodies: ReadonlyMap<string, string>) {
  return ({ url }: Request): Response => {
    const body = bodies.get(url.slice(url.indexOf("/", "http://".length)));
    const response = new Response(body, { headers: HEADERS });
    for (const [name, value] of HEADERS_OF_THE_SERVICE) {
      response.headers.set(name, value);
    }
    return response;
  };
}

if (import.meta.main) {
  const [port, bodiesFile] = Deno.args;
  const handler = bodiesFile === undefined
    ? answerConstant
    : replay(new Map(JSON.parse(Deno.readTextFileSync(bodiesFile))));
  const options = { hostname: "127.0.0.1", port: Number(port), onListen() {} };
  Deno.serve(options, handler);
}
