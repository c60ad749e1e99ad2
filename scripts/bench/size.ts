/**
 * Size of the bundles that a browser loads, beside other libraries from npm.
 *
 * @module
 */
import { stop } from "esbuild";
import manifest from "../../deno.json" with { type: "json" };
import { bundle } from "../bundle.ts";
import { withInstalled } from "../npm/install.ts";
import { npmRange } from "../npm/npm_name.ts";
import type { Figure, Section } from "./figures.ts";

/** Exports of a package that are bundled together. */
export interface BundledSet {
  /** Name of the set. */
  readonly name: string;
  /** Package that exports them. */
  readonly from: string;
  /** Names of the exports. */
  readonly names: readonly string[];
}

/** Set of this library with its limits. */
export interface OwnSet extends BundledSet {
  /** Bytes after gzip that are the goal. */
  readonly goal: number;
  /** Bytes after gzip that a test allows. */
  readonly ceiling: number;
}

/** Sets of this library. */
export const OWN_SETS: readonly OwnSet[] = [
  {
    name: "Client",
    from: "@carteiro/oauth2",
    names: ["Client"],
    goal: 9_500,
    ceiling: 15_200,
  },
  {
    name: "login set",
    from: "@carteiro/oauth2",
    names: ["Client", "discover", "pkce", "randomState"],
    goal: 10_000,
    ceiling: 16_100,
  },
];

/** Exports of other libraries with which a user is logged in, and stays so. */
const OTHER_SETS: readonly BundledSet[] = [
  {
    name: "openid-client, login set",
    from: "openid-client",
    names: [
      "discovery",
      "buildAuthorizationUrl",
      "randomPKCECodeVerifier",
      "calculatePKCECodeChallenge",
      "randomState",
      "authorizationCodeGrant",
      "refreshTokenGrant",
    ],
  },
  {
    name: "oauth4webapi, login set",
    from: "oauth4webapi",
    names: [
      "discoveryRequest",
      "processDiscoveryResponse",
      "generateRandomCodeVerifier",
      "calculatePKCECodeChallenge",
      "generateRandomState",
      "validateAuthResponse",
      "authorizationCodeGrantRequest",
      "processAuthorizationCodeResponse",
      "refreshTokenGrantRequest",
      "processRefreshTokenResponse",
      "ClientSecretBasic",
    ],
  },
];

/** Module that exports a set. */
export function sourceOf({ from, names }: BundledSet): string {
  return `export { ${names.join(", ")} } from "${from}";`;
}

/** Bundles the sets of this library and of the others. */
export async function benchSize(): Promise<Section> {
  console.error("Bundling ...");
  try {
    return {
      title: "A bundle for browsers, minified and gzipped",
      figures: [...await measureOwn(), ...await measureOthers()],
      notes: ["jose is loaded when a JWT is signed, and is not in the bundle"],
    };
  } finally {
    await stop();
  }
}

async function measureOwn(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const set of OWN_SETS) {
    const { gzipped } = await bundle(sourceOf(set), { external: ["jose"] });
    figures.push({
      name: set.name,
      unit: "bytes",
      values: [gzipped],
      limit: { side: "at most", value: set.goal },
    });
  }
  return figures;
}

function measureOthers(): Promise<Figure[]> {
  const imports: Record<string, string> = manifest.imports;
  const tools = OTHER_SETS.map(({ from }) => npmRange(imports[from]!));
  return withInstalled([], async ({ folder }) => {
    const figures: Figure[] = [];
    for (const set of OTHER_SETS) {
      const { gzipped } = await bundle(sourceOf(set), { folder });
      figures.push({ name: set.name, unit: "bytes", values: [gzipped] });
    }
    return figures;
  }, { tools });
}
