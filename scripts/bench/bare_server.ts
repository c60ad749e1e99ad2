/**
 * Servers that do the least that Deno can do for an answer. The first argument
 * is the port to listen on. Without a second one the answer is a constant body,
 * as long as a record usually is; a second one names a file with the
 * {@linkcode Replay} to be sent.
 *
 * @module
 */

/** Answers of the service, to be sent again. */
export interface Replay {
  /** Headers of every answer. */
  readonly headers: [name: string, value: string][];
  /** Bodies by path. */
  readonly bodies: readonly [path: string, body: string][];
}

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

function answerConstant(): Response {
  return new Response(BODY, { headers: HEADERS });
}

/** Sends what it is given, with headers set in the way that costs least. */
function replay({ headers, bodies }: Replay) {
  const byPath = new Map(bodies);
  const isType = ([name]: readonly string[]) => name === "content-type";
  const init = { headers: headers.filter(isType) };
  const others = headers.filter((header) => !isType(header));
  return ({ url }: Request): Response => {
    const body = byPath.get(url.slice(url.indexOf("/", "http://".length)));
    const response = new Response(body, init);
    for (const [name, value] of others) response.headers.set(name, value);
    return response;
  };
}

if (import.meta.main) {
  const [port, replayFile] = Deno.args;
  const handler = replayFile === undefined
    ? answerConstant
    : replay(JSON.parse(Deno.readTextFileSync(replayFile)));
  const options = { hostname: "127.0.0.1", port: Number(port), onListen() {} };
  Deno.serve(options, handler);
}
