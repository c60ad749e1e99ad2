/** Messages that break the grammar of HTTP/1.1 or its framing (RFC 9112). */

/** Bytes of a connection, and the answers to them. */
export interface HostileMessage {
  readonly name: string;
  /** First message, in ISO-8859-1. */
  readonly bytes: string;
  /**
   * `refused`: a 4xx or a closed connection, and no answer to the request that
   * follows. `answered`: one answer to each. `either`: one of these, because
   * RFC 9112 leaves the choice to the server, or because a server is more
   * tolerant without a risk for the next request.
   */
  readonly expected: "refused" | "answered" | "either";
  /** Status of the first answer, if it must be answered. */
  readonly status: number;
  /** Request that follows on the same connection, and closes it. */
  readonly next: string;
  /** Closes the sending half after the message. */
  readonly ends: boolean;
}

/** Request whose answer shows that the bytes before it were one message. */
export const NEXT =
  "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

const BODY = '["01310100"]';
const CHUNKED = `c\r\n${BODY}\r\n0\r\n\r\n`;
const LENGTH = `Content-Length: ${BODY.length}`;
const TE = "Transfer-Encoding";

type Changes = Partial<HostileMessage>;

function message(
  expected: HostileMessage["expected"],
  name: string,
  bytes: string,
  changes: Changes = {},
): HostileMessage {
  return {
    name,
    bytes,
    expected,
    status: 200,
    next: NEXT,
    ends: false,
    ...changes,
  };
}

/** Batch with some headers. */
function post(headers: string, body: string, version = "1.1"): string {
  return `POST /ceps HTTP/${version}\r\nHost: a\r\n` +
    `Content-Type: application/json\r\n${headers}\r\n\r\n${body}`;
}

/** Request without a body, with some headers after `Host`. */
function get(line: string, ...headers: string[]): string {
  return [line, "Host: a", ...headers, "", ""].join("\r\n");
}

const LIVEZ = "GET /livez HTTP/1.1";

function framing(): HostileMessage[] {
  const refused: Record<string, string> = {
    "both lengths, chunked": post(
      `Content-Length: ${CHUNKED.length}\r\n${TE}: chunked`,
      CHUNKED,
    ),
    "both lengths, short": post(`${TE}: chunked\r\nContent-Length: 4`, CHUNKED),
    "an unknown coding": post(`${TE}: xchunked`, CHUNKED),
    "the coding identity": post(`${TE}: identity\r\n${LENGTH}`, BODY),
    "chunked before another coding": post(`${TE}: chunked, identity`, CHUNKED),
    "chunked twice": post(`${TE}: chunked, chunked`, CHUNKED),
    "two codings": post(`${TE}: chunked\r\n${TE}: x`, CHUNKED),
    "a quoted coding": post(`${TE}: "chunked"`, CHUNKED),
    "a coding with a parameter": post(`${TE}: chunked;a=b`, CHUNKED),
    "a vertical tab before a coding": post(`${TE}: \x0bchunked`, CHUNKED),
    "a space before the colon of a coding": post(`${TE} : chunked`, CHUNKED),
    "a space before a coding's name": post(` ${TE}: chunked`, CHUNKED),
    "a folded coding": post(`${TE}:\r\n chunked`, CHUNKED),
    "a coding in a folded line": post(
      `X: a\r\n ${TE}: chunked\r\n${LENGTH}`,
      BODY,
    ),
    "chunks in HTTP/1.0": post(`${TE}: chunked`, CHUNKED, "1.0"),
    "two different lengths": post(`${LENGTH}\r\nContent-Length: 0`, BODY),
    "a list of different lengths": post("Content-Length: 12, 0", BODY),
    "a negative length": post("Content-Length: -12", BODY),
    "a length with a plus sign": post("Content-Length: +12", BODY),
    "a hexadecimal length": post("Content-Length: 0xc", BODY),
    "an exponent as length": post("Content-Length: 1e1", BODY),
    "a decimal length": post("Content-Length: 12.0", BODY),
    "an empty length": post("Content-Length: ", BODY),
    "a length beyond 64 bits": post(
      "Content-Length: 18446744073709551628",
      BODY,
    ),
    "a quoted length": post('Content-Length: "12"', BODY),
    "a length with a space": post("Content-Length: 1 2", BODY),
    "a space before the colon of a length": post("Content-Length : 12", BODY),
    "a carriage return in a header": get(LIVEZ, "X: a\rY: b"),
    "a NUL in a value": get(LIVEZ, "X: a\0b"),
    "a control byte in a value": get(LIVEZ, "X: a\x01b"),
    "a DEL in a value": get(LIVEZ, "X: a\x7fb"),
    "a NUL in a name": get(LIVEZ, "X\0: a"),
    "a header without a colon": get(LIVEZ, "foo"),
    "a header without a name": get(LIVEZ, ": foo"),
    "a space in a name": get(LIVEZ, "X Y: foo"),
    "a folded header": get(LIVEZ, "X: a", " b"),
    "a first header that is folded": `${LIVEZ}\r\n Host: a\r\n\r\n`,
    "a header of 500,000 bytes": get(LIVEZ, `X: ${"a".repeat(500_000)}`),
    "20,000 names of headers": get(
      LIVEZ,
      ...Array.from({ length: 20_000 }, (_, i) => `X${i}: y`),
    ),
    "a target of 500,000 bytes": get(`GET /${"a".repeat(500_000)} HTTP/1.1`),
  };
  return Object.entries(refused)
    .map(([name, bytes]) => message("refused", name, bytes));
}

function chunks(): HostileMessage[] {
  const refused: Record<string, string> = {
    "a line feed in an extension": `c;a\n=b\r\n${BODY}\r\n0\r\n\r\n`,
    "line feeds alone": `c\n${BODY}\n0\n\n`,
    "a line feed after the size": `c\n${BODY}\r\n0\r\n\r\n`,
    "a line feed after the data": `c\r\n${BODY}\n0\r\n\r\n`,
    "the size 0xc": `0xc\r\n${BODY}\r\n0\r\n\r\n`,
    "the size +c": `+c\r\n${BODY}\r\n0\r\n\r\n`,
    "the size -c": `-c\r\n${BODY}\r\n0\r\n\r\n`,
    "the size 0_c": `0_c\r\n${BODY}\r\n0\r\n\r\n`,
    "a size beyond 64 bits": `1000000000000000c\r\n${BODY}\r\n0\r\n\r\n`,
    "no size": `\r\n${BODY}\r\n0\r\n\r\n`,
    "a size below the data": `b\r\n${BODY}\r\n0\r\n\r\n`,
    "a trailer without a colon": `c\r\n${BODY}\r\n0\r\nfoo\r\n\r\n`,
  };
  const either: Record<string, string> = {
    "an extension of 200,000 bytes": `c;${"a".repeat(200_000)}\r\n${BODY}\r\n` +
      "0\r\n\r\n",
    "a space before the size": ` c\r\n${BODY}\r\n0\r\n\r\n`,
    "a space after the size": `c \r\n${BODY}\r\n0\r\n\r\n`,
    "a trailer that gives a length": `c\r\n${BODY}\r\n0\r\n` +
      "Content-Length: 5\r\n\r\n",
  };
  const named = (
    rows: Record<string, string>,
    expected: "refused" | "either",
  ) =>
    Object.entries(rows).map(([name, body]) =>
      message(expected, `a chunk: ${name}`, post(`${TE}: chunked`, body))
    );
  return [
    ...named(refused, "refused"),
    ...named(either, "either"),
    message(
      "answered",
      "a chunk: an extension",
      post(`${TE}: chunked`, `c;a=b\r\n${BODY}\r\n0\r\n\r\n`),
    ),
    ...[
      ["the size 2^64 - 1", `ffffffffffffffff\r\n${BODY}\r\n0\r\n\r\n`],
      ["no last one", `c\r\n${BODY}\r\n`],
    ].map(([name, body]) =>
      message(
        "refused",
        `a chunk: ${name}`,
        post(`${TE}: chunked`, body!),
        { next: "", ends: true },
      )
    ),
  ];
}

function hidden(): HostileMessage[] {
  const inner = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";
  const length = `Content-Length: ${inner.length}`;
  return [
    message(
      "answered",
      "a request in the body of GET",
      get(LIVEZ, length) + inner,
    ),
    message(
      "answered",
      "a request in a body that no route reads",
      get("POST /nada HTTP/1.1", length) + inner,
      { status: 404 },
    ),
    message(
      "answered",
      "a request in chunks that no route reads",
      get("POST /nada HTTP/1.1", `${TE}: chunked`) +
        `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
      { status: 404 },
    ),
    message(
      "answered",
      "a request in a refused body",
      `POST /ceps HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n` +
        `${length}\r\n\r\n${inner}`,
      { status: 415 },
    ),
    message(
      "answered",
      "a coding with an underscore in its name",
      post(`Transfer_Encoding: chunked\r\n${LENGTH}`, BODY),
    ),
    message(
      "answered",
      "a compressed transfer",
      post(`${TE}: gzip, chunked`, CHUNKED),
      { status: 415 },
    ),
    message(
      "either",
      "a request after Connection: close",
      get(LIVEZ, "Connection: close") + NEXT,
      { next: "" },
    ),
  ];
}

function variants(): HostileMessage[] {
  const either: Record<string, string> = {
    "line feeds alone": `${LIVEZ}\nHost: a\n\n`,
    "a line feed in the headers": `${LIVEZ}\r\nHost: a\nX: y\r\n\r\n`,
    "an empty coding with a length": post(`${TE}:\r\n${LENGTH}`, BODY),
    "20,000 headers": get(LIVEZ, ...Array(20_000).fill("X: y")),
    "the same length twice": post(`${LENGTH}\r\n${LENGTH}`, BODY),
    "a list of the same length": post("Content-Length: 12, 12", BODY),
    "a length with zeros": post(`Content-Length: ${"0".repeat(30)}12`, BODY),
    "chunked in upper case": post(`${TE}: CHUNKED`, CHUNKED),
    "chunked after a tab": post(`${TE}:\tchunked`, CHUNKED),
    "chunked before a tab": post(`${TE}: chunked \t`, CHUNKED),
    "chunked after a comma": post(`${TE}: , chunked`, CHUNKED),
    "chunked in two headers": post(
      `${TE}: chunked\r\n${TE}: chunked`,
      CHUNKED,
    ),
    "no Host": `${LIVEZ}\r\n\r\n`,
    "two hosts": get(LIVEZ, "Host: b"),
    "two spaces in the first line": get("GET  /livez HTTP/1.1"),
    "two spaces before the version": get("GET /livez  HTTP/1.1"),
    "tabs in the first line": get("GET\t/livez\tHTTP/1.1"),
    "a NUL after the target": get("GET /livez\0 HTTP/1.1"),
    "empty lines first": `\r\n\r\n${get(LIVEZ)}`,
    "an absolute target": get("GET http://b/livez HTTP/1.1"),
    "an absolute target of FTP": get("GET ftp://b/livez HTTP/1.1"),
    "60,000 bytes of headers": get(LIVEZ, `X: ${"a".repeat(60_000)}`),
    "99 headers": get(LIVEZ, ...Array(97).fill("X: y")),
    "an unknown expectation": get(LIVEZ, "Expect: 200-ok"),
    "a method in lower case": get("get /livez HTTP/1.1"),
    "the target *": get("GET * HTTP/1.1"),
    "OPTIONS *": get("OPTIONS * HTTP/1.1"),
    "CONNECT": get("CONNECT a:80 HTTP/1.1"),
    "CONNECT with a path": get("CONNECT /livez HTTP/1.1"),
    "an authority as target": get("GET a:80 HTTP/1.1"),
    "a target of 60,000 bytes": get(`GET /${"a".repeat(60_000)} HTTP/1.1`),
    "an expectation that fails": get(LIVEZ, "Expect: x"),
    "an expected 100": post(`Expect: 100-continue\r\n${LENGTH}`, BODY),
  };
  return [
    ...Object.entries(either)
      .map(([name, bytes]) => message("either", name, bytes)),
    ...["HTTP/1.2", "HTTP/2.0", "HTTP/1.10", "http/1.1", "HTTP/1.1x", "HTTP/"]
      .map((version) =>
        message("refused", `the version ${version}`, get(`GET / ${version}`))
      ),
    ...["h2c", "websocket", "x"].map((name) =>
      message(
        "answered",
        `an upgrade to ${name}`,
        get(LIVEZ, "Connection: Upgrade, close", `Upgrade: ${name}`),
        { next: "" },
      )
    ),
    ...[
      "",
      "GET",
      "GET /livez HTTP/1.1\r\nHost:",
      post(LENGTH, "["),
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      "SSH-2.0-OpenSSH_9.9\r\n",
    ].map((it) =>
      message(
        "refused",
        `the end after ${JSON.stringify(it.slice(0, 30))}`,
        it,
        {
          next: "",
          ends: true,
        },
      )
    ),
  ];
}

/** Every hostile message. */
export const HOSTILE_MESSAGES: readonly HostileMessage[] = [
  ...framing(),
  ...chunks(),
  ...hidden(),
  ...variants(),
];
