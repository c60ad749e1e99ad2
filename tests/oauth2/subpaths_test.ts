/** Absence of the subpaths from the core, and what they import. */
import { assertEquals } from "@std/assert";
import { stop } from "esbuild";
import {
  bundle,
  type BundledSet,
  LOGIN_SET,
} from "../../scripts/bench/sizes.ts";

/** Exports of a subpath, and texts that minification keeps. */
const SUBPATHS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "authorization-details": [
    "encodeDetails, grantedDetails, compareDetails",
    "Cannot encode the authorization details",
    "invalid_authorization_details",
  ],
  ciba: ["BackchannelLogin", "urn:openid:params:grant-type:ciba"],
  device: ["DeviceLogin", "urn:ietf:params:oauth:grant-type:device_code"],
  dpop: ["DpopKey, withDpop", "use_dpop_nonce", "dpop+jwt", "dpop-nonce"],
  exchange: [
    "exchangeToken",
    "urn:ietf:params:oauth:grant-type:token-exchange",
  ],
  introspection: ["introspect", "token-introspection+jwt"],
  jarm: ["JarmValidator", "authorization_signing_alg_values_supported"],
  "jwt-bearer": ["jwtBearerToken", "Cannot use the claims"],
  mcp: ["connectMcp", "Cannot use the MCP server"],
  mtls: ["certificateThumbprint, isBoundTo", "x5t#S256", "BEGIN CERTIFICATE"],
  par: ["pushAuthorization", "Cannot push the authorization request"],
  "protected-resource": [
    "discoverResource",
    "/.well-known/oauth-protected-resource",
  ],
  providers: ["PROVIDERS", "https://github.com/login/oauth/access_token"],
  quirks: ["withQuirks", "textResponses"],
  registration: ["Registration", "registration_access_token"],
  "request-object": ["signRequest", "oauth-authz-req+jwt"],
  "resource-indicators": ["checkResources", "Cannot request the resource"],
  session: ["Session", "Cannot create the session", "missing_cookie"],
  "step-up": ["withStepUp", "insufficient_user_authentication"],
  verify: [
    "TokenVerifier, DpopNonces",
    "Cannot grant access",
    "invalid_dpop_proof",
    "insufficient_user_authentication",
    "at+jwt",
  ],
};

const sets = Object.entries(SUBPATHS).map(([path, [names]]): BundledSet => ({
  from: `@carteiro/oauth2/${path}`,
  names,
}));
const [core, ...others] = await Promise.all(
  [LOGIN_SET, ...sets].map((set) => bundle(set)),
).finally(stop);

for (const [i, [path, [, ...texts]]] of Object.entries(SUBPATHS).entries()) {
  const subpath = others[i]!;

  Deno.test(`a bundle of the core has no text and no module of ${path}`, () => {
    assertEquals(texts.filter((text) => core!.code.includes(text)), []);
    const entry = `/${path.replace("-", "_")}`;
    const modules = core!.modules.filter((module) =>
      module.includes(`${entry}/`) || module.includes(`${entry}.ts`)
    );
    assertEquals(modules, []);
    assertEquals(texts.filter((text) => !subpath.code.includes(text)), []);
  });

  Deno.test(`a bundle of ${path} has no client unless it creates one, and imports nothing`, () => {
    assertEquals(
      subpath.modules.some((module) => /oauth2\/core\/client\.ts/.test(module)),
      path === "mcp",
    );
    const found = subpath.imports.map(({ kind, path }) => `${kind} ${path}`);
    assertEquals(found, []);
  });
}
