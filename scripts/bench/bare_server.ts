/**
 * Server on `API_PORT` that does the minimum for a response of Deno. With the
 * file of a {@linkcode Replay} as its argument, it sends the responses in that
 * file, several in one for a `POST` of an array of CEPs.
 */
/** Responses of the service. */
export interface Replay {
  /** Headers of every response. */
  readonly headers: [name: string, value: string][];
  /** Bodies by path. */
  readonly bodies: readonly [path: string, body: string][];
}

/** Body of the usual length of a record. */
const BODY = JSON.stringify("x".repeat(306));
const HEADERS = { "content-type": "application/json" };

function answerConstant(): Response {
  return new Response(BODY, { headers: HEADERS });
}

function replay(
  { headers, bodies }: Replay,
): (request: Request) => Response | Promise<Response> {
  const byPath = new Map(bodies);
  // The fastest way to set headers.
  const isType = ([name]: readonly string[]) => name === "content-type";
  const init = { headers: headers.filter(isType) };
  const others = headers.filter((header) => !isType(header));
  return (request) => {
    if (request.method === "POST") return replayBatch(request, byPath);
    const { url } = request;
    const body = byPath.get(url.slice(url.indexOf("/", "http://".length)));
    const response = new Response(body, init);
    for (const [name, value] of others) response.headers.set(name, value);
    return response;
  };
}

/** Responds to an array of CEPs with an array of their bodies. */
async function replayBatch(
  request: Request,
  bodies: ReadonlyMap<string, string>,
): Promise<Response> {
  const codes: string[] = await request.json();
  const found = codes.map((cep) => bodies.get(`/cep/${cep}`));
  return new Response(`[${found.join(",")}]`, { headers: HEADERS });
}

if (import.meta.main) {
  const [file] = Deno.args;
  const handler = file === undefined
    ? answerConstant
    : replay(JSON.parse(Deno.readTextFileSync(file)));
  const port = Number(Deno.env.get("API_PORT"));
  Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, handler);
}
