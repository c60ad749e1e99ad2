/** DPoP proofs and JWT access tokens, exchanged with the library oauth4webapi. */
import { assertEquals, assertRejects } from "@std/assert";
import { exportJWK, SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import { AccessToken, Client, type Fetch } from "../../../oauth2/mod.ts";
import { DpopKey, withDpop } from "../../../oauth2/dpop/mod.ts";
import { AccessDenied, TokenVerifier } from "../../../oauth2/verify/mod.ts";
import { generateEs256 } from "../_jwt.ts";

const ISSUER = "https://issuer.example";
const API = "https://api.example";
const URL_OF_NOTES = `${API}/notes?page=2`;
const keys = await generateEs256(true);
const jwks = {
  keys: [{ ...await exportJWK(keys.publicKey), kid: "k1", alg: "ES256" }],
};

/** Answers with the keys of the server. */
const fetchKeys = () => Promise.resolve(Response.json(jwks));

/** Signs an access token that is bound to a key. */
function sign(jkt: string): Promise<string> {
  return new SignJWT({ client_id: "app", scope: "notes", cnf: { jkt } })
    .setProtectedHeader({ alg: "ES256", kid: "k1", typ: "at+jwt" })
    .setIssuer(ISSUER).setAudience(API).setSubject("maria").setJti("t1")
    .setIssuedAt().setExpirationTime("5 minutes").sign(keys.privateKey);
}

for (const algorithm of ["ES256", "EdDSA", "Ed25519", "PS256"] as const) {
  Deno.test(`oauth4webapi accepts a token with a proof of DpopKey, by ${algorithm}`, async () => {
    const key = await DpopKey.generate({ algorithm });
    let request: Request | undefined;
    const fetch: Fetch = (url, init) => {
      request = new Request(url, init);
      return Promise.resolve(new Response());
    };
    const client = new Client(null, null, withDpop(key, { fetch }));
    const access_token = await sign(key.thumbprint);
    await AccessToken.fromHash(client, {
      access_token,
      header_format: "DPoP %s",
    }).get(URL_OF_NOTES);
    const claims = await oauth.validateJwtAccessToken(
      { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` },
      request!,
      API,
      { requireDPoP: true, [oauth.customFetch]: fetchKeys },
    );
    assertEquals([claims.sub, claims.cnf?.jkt], ["maria", key.thumbprint]);
  });
}

for (const algorithm of ["ES256", "Ed25519", "PS256"]) {
  Deno.test(`TokenVerifier accepts a token with a proof of oauth4webapi, by ${algorithm}`, async () => {
    const pair = await oauth.generateKeyPair(algorithm);
    const handle = oauth.DPoP({}, pair);
    const token = await sign(await handle.calculateThumbprint());
    let request: Request | undefined;
    await oauth.protectedResourceRequest(
      token,
      "PUT",
      new URL(URL_OF_NOTES),
      undefined,
      "body",
      {
        DPoP: handle,
        [oauth.customFetch]: (url, init) => {
          request = new Request(url, init as RequestInit);
          return Promise.resolve(new Response());
        },
      },
    );
    const client = new Client(null, null, {
      issuer: ISSUER,
      metadata: { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` },
      fetch: fetchKeys,
    });
    const verifier = new TokenVerifier(client, { audience: API });
    const { claims } = await verifier.verify(request!, { scope: "notes" });
    assertEquals(claims.sub, "maria");
    await assertRejects(() => verifier.verify(request!), AccessDenied);
  });
}
