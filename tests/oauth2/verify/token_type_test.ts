import { assertEquals } from "@std/assert";
import {
  ACTIVE,
  bearer,
  createVerifier,
  dpopKey,
  refusal,
  URL_OF_NOTES,
  withProof,
} from "./_resource_server.ts";
import { NOW } from "../_client.ts";

const jkt = dpopKey.thumbprint;

/** Request with a bearer token or a proof. */
async function requestOf(scheme: string): Promise<Request> {
  if (scheme === "Bearer") return bearer("opaque");
  const proof = await dpopKey.prove({
    method: "GET",
    url: URL_OF_NOTES,
    token: "opaque",
    iat: NOW,
    jti: "1",
  });
  return withProof("opaque", proof);
}

const TYPES: [string, object, string | undefined][] = [
  ["Bearer", { token_type: "Bearer" }, undefined],
  ["Bearer", { token_type: "bearer" }, undefined],
  ["DPoP", { token_type: "DPoP", cnf: { jkt } }, undefined],
  ["DPoP", { token_type: "dpop", cnf: { jkt } }, undefined],
  // Servers from before DPoP name every token so.
  ["DPoP", { token_type: "Bearer", cnf: { jkt } }, undefined],
  ["Bearer", { token_type: "DPoP" }, "the type DPoP needs its key"],
  ["Bearer", { token_type: "DPoP", cnf: null }, "the type DPoP needs its key"],
  ["Bearer", { token_type: "DPoP", cnf: { jkt } }, "DPoP needs its key"],
  [
    "Bearer",
    { token_type: "DPoP", cnf: { "x5t#S256": "x" } },
    "the type DPoP needs its key",
  ],
  ["DPoP", { token_type: "DPoP" }, "the type DPoP needs its key"],
  ["DPoP", { token_type: "Bearer" }, "is not bound to a DPoP key"],
  ["Bearer", { token_type: undefined }, "has no token_type"],
  ["Bearer", { token_type: null }, "has no token_type"],
  ["DPoP", { token_type: undefined, cnf: { jkt } }, "has no token_type"],
  ["Bearer", { token_type: "Refresh" }, "is not an access token"],
  ["Bearer", { token_type: "refresh_token" }, "is not an access token"],
  ["Bearer", { token_type: "N_A" }, "is not an access token"],
  ["Bearer", { token_type: "" }, "is not an access token"],
];

for (const [scheme, fields, reason] of TYPES) {
  const outcome = reason === undefined ? "accepts" : "refuses";
  Deno.test(`TokenVerifier ${outcome} ${JSON.stringify(fields)} with ${scheme}`, async () => {
    const { verifier } = createVerifier({
      introspect: () => Response.json({ ...ACTIVE, ...fields }),
    });
    const request = await requestOf(scheme);
    if (reason === undefined) return void await verifier.verify(request);
    const { code, message } = await refusal(verifier, request);
    assertEquals(code, "invalid_token");
    assertEquals(message.includes(reason), true, message);
  });
}

Deno.test("TokenVerifier accepts an introspection without token_type if it may", async () => {
  let fields: object = {};
  const { verifier } = createVerifier({
    allowUntyped: true,
    introspect: () => Response.json({ active: true, ...fields }),
  });
  await verifier.verify(bearer("opaque"));
  fields = { token_type: "refresh_token" };
  await refusal(verifier, bearer("opaque"));
  fields = { token_type: "DPoP" };
  await refusal(verifier, bearer("opaque"));
});
