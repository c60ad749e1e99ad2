import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  type AuthorizationDetail,
  compareDetails,
  encodeDetails,
  grantedDetails,
} from "../../../oauth2/server/authorization_details.ts";
import { ValidationError } from "../../../oauth2/core/validation_error.ts";
import { clientTest } from "../_client.ts";

const PAYMENT = {
  type: "payment_initiation",
  actions: ["initiate", "status"],
  locations: ["https://example.com/payments"],
  instructedAmount: { currency: "EUR", amount: "123.50" },
  accounts: ["DE40", "PT50"],
};

clientTest("grantedDetails keeps the names of the server", [{
  respond: Response.json({
    access_token: "monkey",
    authorization_details: [PAYMENT],
  }),
}], async ({ client }) => {
  const token = await client.clientCredentials.getToken({
    authorization_details: encodeDetails([PAYMENT]),
  });
  assertEquals(grantedDetails(token), [PAYMENT]);
});

Deno.test("grantedDetails reads JSON text, and nothing as an empty list", () => {
  const text = JSON.stringify([PAYMENT]);
  assertEquals(
    grantedDetails({ params: { authorization_details: text } }),
    [PAYMENT],
  );
  for (const params of [{}, { authorization_details: null }]) {
    assertEquals(grantedDetails({ params }), []);
  }
  assertEquals(
    grantedDetails({
      params: { authorization_details: [PAYMENT] },
      response: { body: "a=b" },
    }),
    [PAYMENT],
  );
});

const MALFORMED: [string, unknown][] = [
  ["text", "x"],
  ["a number", 1],
  ["an object", {}],
  ["a list of texts", ["a"]],
  ["a list of lists", [[]]],
  ["null in a list", [null]],
  ["no type", [{}]],
  ["an empty type", [{ type: "" }]],
  ["a type that is a number", [{ type: 1 }]],
  ["actions that are text", [{ type: "a", actions: "x" }]],
  ["actions that are numbers", [{ type: "a", actions: [1] }]],
  ["actions of which one is a number", [{ type: "a", actions: ["x", 1] }]],
  ["an identifier that is a list", [{ type: "a", identifier: [] }]],
  ["too many", Array(1001).fill({ type: "a" })],
];

for (const [name, details] of MALFORMED) {
  Deno.test(`grantedDetails and encodeDetails refuse ${name}`, () => {
    assertThrows(
      () => grantedDetails({ params: { authorization_details: details } }),
      ValidationError,
      "Cannot read the authorization details: ",
    );
    if (typeof details === "string") return;
    assertThrows(
      () => encodeDetails(details as AuthorizationDetail[]),
      TypeError,
      "Cannot encode the authorization details: ",
    );
  });
}

Deno.test("encodeDetails refuses none, cycles and types that the server lacks", () => {
  const cycle: Record<string, unknown> & { type: string } = { type: "a" };
  cycle.self = cycle;
  const cases: [AuthorizationDetail[], string[] | undefined, string][] = [
    [[], undefined, "there are none"],
    [[cycle], undefined, "not JSON-serializable"],
    [[PAYMENT], ["other"], 'the type "payment_initiation"'],
  ];
  for (const [details, supported, message] of cases) {
    assertThrows(() => encodeDetails(details, supported), TypeError, message);
  }
});

/** Changes of a granted detail: covers the requested one, and asks no more. */
const COMPARISONS: [string, object, boolean, isRequested?: boolean][] = [
  ["the same", {}, true],
  ["more actions", { actions: ["status", "cancel", "initiate"] }, true, false],
  ["another list", { privileges: ["admin"] }, true, false],
  ["an added field", { account: "DE40" }, true],
  ["fewer actions", { actions: ["initiate"] }, false, true],
  ["no actions", { actions: undefined }, false],
  ["another type", { type: "other" }, false],
  ["another amount", {
    instructedAmount: { currency: "EUR", amount: "999.00" },
  }, false],
  ["an amount with more", {
    instructedAmount: { ...PAYMENT.instructedAmount, x: 1 },
  }, false],
  ["one account", { accounts: ["DE40"] }, false],
  ["three accounts", { accounts: ["DE40", "PT50", "ES91"] }, false],
  ["another account", { accounts: ["DE40", "ES91"] }, false],
  ["another order of accounts", { accounts: ["PT50", "DE40"] }, false],
  [
    "accounts that are an object",
    { accounts: { 0: "DE40", 1: "PT50" } },
    false,
  ],
  ["actions that are an object", { actions: { 0: "initiate" } }, false],
  ["another order of names", {
    instructedAmount: { amount: "123.50", currency: "EUR" },
  }, true],
];

for (
  const [name, change, isCovered, isRequested = isCovered] of COMPARISONS
) {
  Deno.test(`compareDetails ${isCovered ? "covers" : "misses"} a detail by ${name}`, () => {
    const granted = JSON.parse(JSON.stringify({ ...PAYMENT, ...change }));
    const { covered, missing, unrequested } = compareDetails([PAYMENT], [
      granted,
    ]);
    assertEquals(covered, isCovered ? [PAYMENT] : []);
    assertEquals(missing, isCovered ? [] : [PAYMENT]);
    assertEquals(unrequested, isRequested ? [] : [granted]);
  });
}

Deno.test("compareDetails takes locations that were not asked for as a limit", () => {
  const { locations: _, ...anywhere } = PAYMENT;
  const { missing, unrequested } = compareDetails([anywhere], [PAYMENT]);
  assertEquals([missing, unrequested], [[], []]);
});

Deno.test("compareDetails reports a second detail of a requested type", () => {
  const second = { ...PAYMENT, instructedAmount: { amount: "999.00" } };
  const { missing, unrequested } = compareDetails([PAYMENT], [PAYMENT, second]);
  assertEquals([missing, unrequested], [[], [second]]);
});

/** Nests a value in lists and objects. */
function nest(depth: number, value: unknown): unknown {
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { value };
  return value;
}

Deno.test("compareDetails compares fields only to a limited depth", () => {
  for (const [depth, isCovered] of [[51, true], [52, false], [5000, false]]) {
    const [a, b] = [1, 2].map(() => ({
      type: "a",
      deep: nest(Number(depth), 1),
    }));
    assertEquals(compareDetails([a!], [b!]).missing.length === 0, isCovered);
  }
});

Deno.test("grantedDetails reads a thousand details", () => {
  const details = Array(1000).fill({ type: "a" });
  assertEquals(
    grantedDetails({ params: { authorization_details: details } }).length,
    1000,
  );
});

Deno.test("compareDetails covers every detail by itself, and none by fields of Object", () => {
  const detail = fc.record({ type: fc.string({ minLength: 1 }) }).chain((
    { type },
  ) =>
    fc.dictionary(fc.string(), fc.jsonValue())
      .map((fields) => JSON.parse(JSON.stringify({ ...fields, type })))
  );
  fc.assert(fc.property(fc.array(detail), (details) => {
    const { missing, unrequested } = compareDetails(details, details);
    assertEquals([missing, unrequested], [[], []]);
  }));
  const odd = [{ type: "a", toString: {} }] as unknown as AuthorizationDetail[];
  assertEquals(compareDetails(odd, [{ type: "a" }]).missing, odd);
});
