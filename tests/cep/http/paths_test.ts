import { assert, assertEquals } from "@std/assert";
import { docsOf } from "../../../cep/http/errors.ts";
import fc from "fast-check";
import { CODE_UNIT } from "../_characters.ts";
import { address } from "../_records.ts";
import { Service } from "../_service.ts";

const ROUTES = new Set([
  "/healthcheck",
  "/livez",
  "/metrics",
  "/debug/count",
  "/debug/stats",
]);

/** Texts that are hard to handle in a path. */
const AWKWARD = fc.constantFrom(
  "",
  ".",
  "..",
  "...",
  "%",
  "%%",
  "%2",
  "%zz",
  "%00",
  "%0A",
  "%0d%0aSet-Cookie:%20a=b",
  "%2e%2e%2f",
  "%2F",
  "%5C",
  "%C0%AF",
  "%E0%A4",
  "%FF",
  "%F0%9F%98%80",
  "%D9%A0%D9%A1%D9%A3",
  "%u0030",
  "%2530",
  "\\",
  "..\\..\\",
  ";",
  "@",
  ":",
  ":cep",
  "'",
  '"',
  "' OR '1'='1",
  "<script>",
  "${7*7}",
  "\0",
  "\t",
  "\r\n",
  "\u001b[31m",
  "\u007f",
  "\u0085",
  "\u2028",
  "\u202e",
  "\ufeff",
  "\ufffe",
  "\ud800",
  "😀",
  "é",
  "e\u0301",
  "٠١٣١٠١٠٠",
  "０１３１０１００",
  "0131010",
  "013101000",
  "01310--100",
  "-1",
  "1e7",
  "NaN",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "toString",
  "cep",
  "CEP",
  "debug",
  "list",
);

const SEGMENTS = fc.oneof(
  { weight: 4, arbitrary: AWKWARD },
  { weight: 2, arbitrary: fc.string({ unit: CODE_UNIT, maxLength: 12 }) },
  {
    weight: 2,
    arbitrary: fc.string({
      unit: fc.constantFrom(..."0123456789.-%/\\ "),
      maxLength: 14,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(AWKWARD, fc.integer({ min: 1, max: 300 }))
      .map(([text, times]) => text.repeat(times)),
  },
);

const PATHS = fc.tuple(
  fc.constantFrom(
    "/cep/",
    "/cep/",
    "/cep/",
    "/cep/0131010",
    "/cep",
    "/debug/list/",
    "/debug/list?prefix=",
    "/debug/",
    "/",
    "//",
  ),
  fc.array(SEGMENTS, { minLength: 1, maxLength: 4 }),
).map(([start, segments]) => start + segments.join("/"));

const CODES: Readonly<Record<string, number>> = {
  cep_missing: 400,
  cep_invalid: 400,
  prefix_invalid: 400,
  cep_not_found: 404,
  route_not_found: 404,
};

Deno.test("createHandler returns 400 or 404 for malformed paths", async () => {
  // Paths such as `/cep/..` lead to the page, whose errors are not JSON.
  await using service = await Service.open({
    records: [address()],
    config: { page: false },
  });
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(PATHS.filter(isMalformed), async (path) => {
      for (const request of [parsed(path), raw(path)]) {
        if (request === undefined) continue;
        asked++;
        const response = await service.handler(request);
        const { error, code, docs, motivo = "", ...rest } = await response
          .json();
        assertEquals(response.status, CODES[code], request.url);
        assertEquals([typeof error, typeof motivo], ["string", "string"]);
        assertEquals(docs, docsOf(code));
        assertEquals(rest, {});
      }
    }),
    { seed: 20260101, numRuns: 500 },
  );
  assert(asked >= 500);
  assertEquals(service.logger.entries, []);
});

Deno.test("createHandler returns 400 or 404 for a path of a megabyte", async () => {
  await using service = await Service.open({ records: [address()] });
  for (const text of ["0", "%30", "%", "é", "/"]) {
    const path = `/cep/${text.repeat(1_000_000 / text.length)}`;
    const response = await service.handler(raw(path));
    assertEquals(response.status, text === "/" ? 404 : 400);
    await response.body?.cancel();
  }
});

const PREFIX = /^(?:\d{1,5}|\d{5}-?\d{0,3})$/;

/** True if the service does not return 200 for a path, normalized or not. */
function isMalformed(path: string): boolean {
  const right = parsed(path)?.url.replace("http://localhost", "");
  return [path, right].every((it) => it === undefined || !isAnswered(it));
}

function isAnswered(target: string): boolean {
  const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  const plain = path.replace(/\/$/, "");
  if (plain !== "/debug/list") return ROUTES.has(plain);
  const prefix = new URLSearchParams(query).get("prefix");
  return prefix === null || PREFIX.test(prefix);
}

/** Request with a path normalized by the URL parser, if possible. */
function parsed(path: string): Request | undefined {
  try {
    return new Request(`http://localhost${path}`);
  } catch {
    return undefined;
  }
}

/** Request with a path as sent by the client. */
function raw(path: string): Request {
  const request = new Request("http://localhost");
  Object.defineProperty(request, "url", { value: `http://localhost${path}` });
  return request;
}
