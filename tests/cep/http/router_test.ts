import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { Router } from "../../../cep/http/router.ts";

const PATTERNS = [
  "/",
  "/cep",
  "/cep/:cep",
  "/cep/:cep/vizinhos",
  "/cep/lista",
  "/uf/:uf/cidade/:cidade",
  "/uf/:uf/cidade/capital",
  "/uf/:uf/:tipo/:nome",
  "/:pagina",
];

type Found = readonly [pattern: string, variables?: Record<string, string>];

const MATCHES: readonly (readonly [path: string, found?: Found])[] = [
  ["/", ["/"]],
  ["/cep", ["/cep"]],
  ["/cep/", ["/cep"]],
  ["/cep/lista", ["/cep/lista"]],
  ["/cep/lista/", ["/cep/lista"]],
  ["/cep/01310100", ["/cep/:cep", { cep: "01310100" }]],
  ["/cep/01310100/", ["/cep/:cep", { cep: "01310100" }]],
  ["/cep/lista2", ["/cep/:cep", { cep: "lista2" }]],
  ["/cep/vizinhos", ["/cep/:cep", { cep: "vizinhos" }]],
  ["/cep//", ["/cep/:cep", { cep: "" }]],
  ["/cep/a%2Fb", ["/cep/:cep", { cep: "a/b" }]],
  ["/cep/%C3%A9", ["/cep/:cep", { cep: "é" }]],
  ["/cep/%", ["/cep/:cep", { cep: "%" }]],
  ["/cep/%FF", ["/cep/:cep", { cep: "%FF" }]],
  ["/cep/:cep", ["/cep/:cep", { cep: ":cep" }]],
  ["/cep/1/vizinhos", ["/cep/:cep/vizinhos", { cep: "1" }]],
  ["/cep/1/vizinhos/", ["/cep/:cep/vizinhos", { cep: "1" }]],
  ["/cep/lista/vizinhos", ["/cep/:cep/vizinhos", { cep: "lista" }]],
  ["/cep//vizinhos", ["/cep/:cep/vizinhos", { cep: "" }]],
  ["/cep/1/vizinho"],
  ["/cep/1/vizinhos2"],
  ["/cep/1/2"],
  ["/cep/1//"],
  ["/cep/1/vizinhos/2"],
  ["/cep/1/vizinhos//"],
  ["/cepx/1"],
  ["/uf/SP/cidade/Santos", [
    "/uf/:uf/cidade/:cidade",
    { uf: "SP", cidade: "Santos" },
  ]],
  ["/uf/SP/cidade/capital", ["/uf/:uf/cidade/capital", { uf: "SP" }]],
  ["/uf/SP/bairro/Centro", [
    "/uf/:uf/:tipo/:nome",
    { uf: "SP", tipo: "bairro", nome: "Centro" },
  ]],
  ["/uf/SP/cidade"],
  ["/sobre", ["/:pagina", { pagina: "sobre" }]],
  ["/sobre/", ["/:pagina", { pagina: "sobre" }]],
  ["/CEP", ["/:pagina", { pagina: "CEP" }]],
  ["//", ["/"]],
  ["///"],
  [""],
  ["cep"],
  ["*"],
];

for (const [path, [pattern, variables = {}] = [undefined]] of MATCHES) {
  Deno.test(`Router matches "${path}" to ${pattern}`, () => {
    for (const patterns of [PATTERNS, PATTERNS.toReversed()]) {
      const match = routerOf(patterns).match(path);
      assertEquals(match?.route.pattern, pattern);
      if (match) assertEquals(match.variables, variables);
    }
  });
}

const CLASHES: readonly (readonly [string, string])[] = [
  ["/cep", "/cep"],
  ["/cep/:cep", "/cep/:cep"],
  ["/cep/:cep", "/cep/:code"],
  ["/cep/:cep/vizinhos", "/cep/:id/vizinhos"],
  ["/cep/:cep/vizinhos", "/cep/lista/:x"],
  ["/:a/b", "/a/:b"],
  ["/:a/b/:c", "/a/:b/c"],
];

for (const [one, other] of CLASHES) {
  Deno.test(`Router refuses ${one} beside ${other}`, () => {
    assertThrows(
      () => routerOf(["/healthcheck", one, "/metrics", other]),
      TypeError,
      `Cannot route "${other}": "${one}" matches the same paths`,
    );
  });
}

const NEIGHBOURS: readonly (readonly [string, string])[] = [
  ["/cep", "/cep/:cep"],
  ["/cep/:cep", "/cep/:cep/vizinhos"],
  ["/cep/:cep", "/cep/lista"],
  ["/:a/:b", "/a/:b"],
  ["/:a/b/:c", "/:a/:b/:c"],
  ["/:a/b", "/:a/c"],
  ["/a/:b", "/c/:b"],
  ["/a/:b/c", "/:a/x/d"],
];

for (const [one, other] of NEIGHBOURS) {
  Deno.test(`Router accepts ${one} beside ${other}`, () => {
    routerOf([one, other]);
    routerOf([other, one]);
  });
}

const MALFORMED = ["", "cep", "/cep/", "//", "/a//b", "/:", "/a/:/b", "/:a/:a"];

for (const pattern of MALFORMED) {
  Deno.test(`Router refuses the pattern "${pattern}"`, () => {
    assertThrows(
      () => routerOf([pattern]),
      TypeError,
      `Cannot route "${pattern}": malformed pattern`,
    );
  });
}

Deno.test("Router matches a path of a megabyte", () => {
  const router = routerOf(PATTERNS);
  const long = "x".repeat(1_000_000);
  assertEquals(router.match(`/cep/${long}`)?.variables, { cep: long });
  assertEquals(router.match("/a".repeat(500_000)), undefined);
});

const SEGMENT = fc.constantFrom("a", "b", ":x", ":y", ":z");
const PATTERN = fc.array(SEGMENT, { minLength: 1, maxLength: 3 })
  .map((segments) => `/${segments.join("/")}`);
const PATH = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 4 })
  .map((segments) => `/${segments.join("/")}`);

Deno.test("Router finds the most specific pattern, in any order of the patterns", () => {
  fc.assert(
    fc.property(fc.array(PATTERN, { maxLength: 5 }), PATH, (patterns, path) => {
      const router = tryRouter(patterns);
      if (router === undefined) return;
      const plain = path.length > 1 ? path.replace(/\/$/, "") : path;
      const fitting = patterns.filter((pattern) => fits(pattern, plain));
      const found = router.match(path)?.route.pattern;
      assertEquals(found !== undefined, fitting.length > 0);
      if (found === undefined) return;
      assertEquals(fitting.includes(found), true);
      const fewest = Math.min(...fitting.map(variablesIn));
      assertEquals(variablesIn(found), fewest);
      assertEquals(
        tryRouter(patterns.toReversed())?.match(path)?.route.pattern,
        found,
      );
    }),
    { seed: 21, numRuns: 500 },
  );
});

function routerOf(patterns: readonly string[]) {
  return new Router(patterns.map((pattern) => ({ pattern })));
}

/** Creates a router of patterns, `undefined` if it refuses them. */
function tryRouter(patterns: readonly string[]) {
  try {
    return routerOf(patterns);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function fits(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/:\w/g, "[^/]*")}$`).test(path);
}

function variablesIn(pattern: string): number {
  return pattern.split(":").length - 1;
}
