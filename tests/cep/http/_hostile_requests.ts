/** Well-formed requests whose content is hostile. */
import { gzipSync } from "node:zlib";

/** Request, and its answer. */
export interface HostileRequest {
  readonly name: string;
  /** Method and target. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Allowed statuses. */
  readonly statuses: readonly number[];
}

type Row = readonly [
  line: string,
  statuses: number | readonly number[],
  headers?: Readonly<Record<string, string>>,
  body?: string,
];

/** Names of members that every object inherits. */
const PROTOTYPE = ["__proto__", "constructor", "toString", "hasOwnProperty"];

const JSON_TYPE = { "Content-Type": "application/json" };
const LINES_TYPE = { "Content-Type": "application/x-ndjson" };

/** Deeply nested arrays and objects. */
const DEEP = [
  "[".repeat(10_000) + "]".repeat(10_000),
  "[".repeat(10_000),
  '{"a":'.repeat(5000) + "1" + "}".repeat(5000),
];

const BOMB = gzipSync(new Uint8Array(10_000_000)).toString("latin1");

function prototypeNames(name: string): Row[] {
  return [
    [`GET /${name}`, 404],
    [`GET /cep/${name}`, 400],
    [`GET /cep/${name}/historico`, 400],
    [`GET /estados/${name}/municipios`, 400],
    [`GET /municipios/${name}`, 400],
    [`GET /municipios/${name}/bairros`, 400],
    [`GET /ws/${name}/json`, 400],
    [`GET /ws/${name}/${name}/${name}/json`, 400],
    [`GET /api/cep/v1/${name}`, 400],
    [`GET /api/cep/v2/${name}`, 400],
    [`GET /v1/${name}`, 404],
    [`GET /debug/list?prefix=${name}`, 400],
    [`GET /busca?q=${name}`, 200],
    [`GET /busca?q=a&uf=${name}`, 400],
    [`GET /busca?q=a&cidade=${name}&bairro=${name}`, 200],
    [`GET /busca?q=a&cursor=${name}`, 400],
    [`GET /busca?q=paulista&${name}=${name}`, 400],
    [`POST /ceps`, 200, JSON_TYPE, `["${name}"]`],
    [`POST /ceps`, 400, JSON_TYPE, `{"${name}":["01310100"]}`],
    [`POST /ceps`, 200, LINES_TYPE, `${name}\n"${name}"\n{"${name}":1}\n`],
    [`POST /enderecos`, 400, JSON_TYPE, `{"${name}":{"endereco":"a"}}`],
    [`POST /enderecos`, 200, JSON_TYPE, `{"endereco":"${name}"}`],
    [`GET /healthcheck`, 200, { [name]: name }],
  ];
}

/** Rows by the part of a request that is hostile. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  "a name of a prototype": PROTOTYPE.flatMap(prototypeNames),
  "percent-encoding": [
    ["GET /cep/%", 400],
    ["GET /cep/%zz", 400],
    ["GET /cep/%FF", 400],
    ["GET /cep/%C0%AF", 400],
    ["GET /cep/%00", 400],
    ["GET /cep/0131%30100", 200],
    ["GET /cep/0131%2530100", 400],
    ["GET /%63ep/01310100", 404],
    ["GET /busca?q=%", 200],
    ["GET /busca?q=%FF%00%C0", 200],
    ["GET /busca?%71=paulista", 200],
  ],
  "slashes and dot segments": [
    ["GET //cep/01310100", 404],
    ["GET /cep//01310100", 404],
    ["GET /cep/01310100//", 404],
    ["GET //cep//01310100", 404],
    ["GET /./cep/01310100", 404],
    ["GET /cep/./01310100", 404],
    ["GET /cep/../metrics", 404],
    ["GET /cep/%2e%2e/metrics", 404],
    ["GET /cep/..%2fmetrics", 400],
    ["GET /cep/%2e%2e%2fmetrics", 400],
    ["GET /..;/metrics", 404],
    ["GET /cep\\..\\metrics", 404],
    ["GET /metrics%2f", 404],
    ["GET /metrics/..", 404],
  ],
  "targets of other forms": [
    ["GET http://localhost/cep/01310100", 200],
    ["GET http://b/cep/01310100", 200],
    ["GET http://b:99999/cep/01310100", [200, 400]],
    ["GET http://b?/metrics", [200, 400, 404]],
    ["GET http://b/cep/../metrics", 404],
    ["GET http://user:pass@b/cep/01310100", [200, 400]],
    ["GET http://b#/metrics", [400, 404]],
    ["GET /cep/01310100#fragment", [200, 400]],
    ["GET /cep/01310100;a=b", 400],
  ],
  "injection into headers": [
    ["GET /cep/%0d%0aSet-Cookie:%20a=b", 400],
    ["GET /%0d%0aSet-Cookie:%20a=b", 404],
    ["GET /busca?q=a&limite=%0d%0aSet-Cookie:a", 400],
    ["GET /nada", 404, { "X-Request-Id": "Set-Cookie: a=b" }],
    ["GET /nada", 404, { "X-Request-Id": "%0d%0aSet-Cookie:a=b" }],
    ["GET /nada", 404, { "X-Request-Id": "Set-Cookie".repeat(10) }],
    ["GET /nada", 404, { "X-Request-Id": "Set-Cookie\tx" }],
    ["GET /nada", 404, { Origin: "https://Set-Cookie" }],
    ["GET /nada", 404, { Origin: "https://loja.com.br.Set-Cookie" }],
    ["GET /nada", 404, { Origin: "https://loja.com.br\tSet-Cookie" }],
    ["GET /cep/01310100", [400, 404], { Host: "Set-Cookie/metrics?" }],
    ["GET /cep/01310100", [200, 400], { Host: "Set-Cookie\tx" }],
    ["GET /ws/01310100/json?callback=a%0d%0aSet-Cookie:b", 400],
    ["GET /ws/01310100/json?callback=Set-Cookie", 400],
    ["GET /ws/01310100/json?callback=alert(1)//", 400],
    [`GET /ws/01310100/json?callback=${"a".repeat(300)}`, 400],
    ["GET /cep/01310100", 200, { "If-None-Match": '"Set-Cookie"' }],
    ["OPTIONS /cep/01310100", 204, {
      Origin: "https://Set-Cookie",
      "Access-Control-Request-Method": "Set-Cookie",
      "Access-Control-Request-Headers": "Set-Cookie",
    }],
  ],
  "repeated and long parameters": [
    ["GET /busca?q=paulista&q=augusta", 200],
    ["GET /busca?q=paulista&uf=SP&uf=XX", 200],
    ["GET /busca?q=paulista&limite=1&limite=9999", 200],
    ["GET /busca?q=paulista&limite=1e9", 400],
    ["GET /busca?q=paulista&limite=-1", 400],
    ["GET /busca?q=paulista&limite=0x10", 400],
    ["GET /debug/list?prefix=0&prefix=x", 200],
    [`GET /busca?q=paulista${"&a=b".repeat(10_000)}`, 400],
    [`GET /busca?q=paulista${"&q=b".repeat(10_000)}`, 200],
    [`GET /busca?q=${"a".repeat(40_000)}`, 200],
    [`GET /busca?q=${"a+".repeat(20_000)}`, 200],
    [`GET /busca?q=${"%22".repeat(10_000)}`, 200],
    [`GET /cep/${"0".repeat(40_000)}`, 400],
    [`GET ${"/a".repeat(20_000)}`, 404],
  ],
  "compressed bodies": ["gzip", "deflate", "br", "zstd", "identity, gzip", "x"]
    .flatMap((coding): Row[] =>
      ["/ceps", "/enderecos"].map((path): Row => [
        `POST ${path}`,
        415,
        { ...JSON_TYPE, "Content-Encoding": coding },
        BOMB,
      ])
    ),
  "deep and long JSON": [
    ...DEEP.flatMap((text): Row[] => [
      ["POST /ceps", [200, 400, 413], JSON_TYPE, text],
      ["POST /enderecos", [400, 413], JSON_TYPE, text],
      ["POST /ceps", 200, LINES_TYPE, `${text}\n01310100\n`],
    ]),
    ["POST /ceps", 413, JSON_TYPE, `[${"1,".repeat(1000)}1]`],
    ["POST /ceps", 413, JSON_TYPE, `[${"0,".repeat(500_000)}0]`],
    ["POST /ceps", 400, JSON_TYPE, "1e999"],
    ["POST /ceps", 400, JSON_TYPE, '"01310100"'],
    ["POST /ceps", 200, JSON_TYPE, '[1e999,null,{},[],"\\u0000"]'],
    ["POST /ceps", 400, JSON_TYPE, "\xff\xfe"],
    ["POST /ceps", 400, JSON_TYPE, ""],
    ["POST /enderecos", 400, JSON_TYPE, '{"endereco":{"toString":1}}'],
    ["POST /enderecos", 400, JSON_TYPE, `{"endereco":"${"a".repeat(10_000)}"}`],
    ["POST /enderecos", [400, 413], JSON_TYPE, `{"a":"${"a".repeat(2e6)}"}`],
  ],
};

/** Every hostile request. */
export const HOSTILE_REQUESTS: readonly HostileRequest[] = Object.entries(ROWS)
  .flatMap(([subject, rows]) =>
    rows.map(([line, statuses, headers = {}, body = ""], i) => ({
      name: `${subject} ${i + 1}: ${line.slice(0, 60)}`,
      line,
      headers,
      body,
      statuses: [statuses].flat(),
    }))
  );

/** Bytes of a request, in ISO-8859-1. */
export function bytesOf({ line, headers, body }: HostileRequest): string {
  const lines = Object.entries({
    Host: "localhost",
    ...headers,
    ...(body && { "Content-Length": body.length }),
    Connection: "close",
  }).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines, "", body].join("\r\n");
}
