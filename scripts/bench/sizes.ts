/**
 * Sizes of bundles for browsers, minified and gzipped, compared with other
 * libraries from npm.
 *
 * @module
 */
import { build, stop } from "esbuild";
import { gzipSync } from "node:zlib";
import manifest from "../../deno.json" with { type: "json" };
import { npm } from "../process.ts";
import { ROOT } from "../root.ts";
import type { Bench, Limit } from "./harness.ts";

/** Exports of a package that are bundled together. */
export interface BundledSet {
  /** Name of the package. */
  readonly from: string;
  /** Names of the exports, separated by commas. */
  readonly names: string;
  /** Packages that are not bundled. */
  readonly external?: string[];
}

const OWN = { from: "@carteiro/oauth2", external: ["jose"] };

/** Exports to request tokens. */
export const CLIENT: BundledSet = { ...OWN, names: "Client" };

/** Exports for a login and its refresh. */
export const LOGIN_SET: BundledSet = {
  ...OWN,
  names: "Client, discover, pkce, randomState",
};

/** Client of `cep`. */
export const CEP_CLIENT: BundledSet = {
  from: "@carteiro/cep/client",
  names: "createCepClient, CepError",
};

/** Exports of other libraries for the same purpose. */
const OTHER_SETS: readonly BundledSet[] = [{
  from: "openid-client",
  names: `discovery, buildAuthorizationUrl, randomPKCECodeVerifier,
    calculatePKCECodeChallenge, randomState, authorizationCodeGrant,
    refreshTokenGrant`,
}, {
  from: "oauth4webapi",
  names: `discoveryRequest, processDiscoveryResponse,
    generateRandomCodeVerifier, calculatePKCECodeChallenge,
    generateRandomState, validateAuthResponse, authorizationCodeGrantRequest,
    processAuthorizationCodeResponse, refreshTokenGrantRequest,
    processRefreshTokenResponse, ClientSecretBasic`,
}];

/** Measures the sets of this library and of the others. */
export async function benchSize(bench: Bench): Promise<void> {
  bench.title("Bundle for browsers, minified and gzipped");
  const folder = `${bench.folder}/libraries`;
  const imports: Record<string, string> = manifest.imports;
  const ranges = OTHER_SETS.map(({ from }) =>
    imports[from]!.slice("npm:".length)
  );
  const { signal } = bench;
  await npm(["install", "--prefix", folder, "--prefer-offline", ...ranges], {
    signal,
  });
  const show = async (name: string, set: BundledSet, limit?: Limit) => {
    const { gzipped } = await bundle(set, folder);
    bench.show(name, "bytes", gzipped, limit);
  };
  try {
    await show("Client", CLIENT, { atMost: 9_500 });
    await show("login set", LOGIN_SET, { atMost: 10_000 });
    for (const set of OTHER_SETS) await show(`${set.from}, login set`, set);
  } finally {
    await stop();
  }
  bench.note("jose is loaded when a JWT is signed, and is not bundled");
}

/**
 * Bundles a set into one minified file. The process of esbuild runs until its
 * `stop` is called.
 *
 * @param folder Folder with the `node_modules` of packages from npm.
 */
export async function bundle(
  { from, names, external = [] }: BundledSet,
  folder: string = ROOT,
) {
  const contents = `export { ${names} } from "${from}";`;
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    alias: {
      "@carteiro/cep/client": `${ROOT}cep/client/mod.ts`,
      "@carteiro/oauth2": `${ROOT}oauth2/mod.ts`,
    },
    bundle: true,
    external,
    format: "esm",
    legalComments: "none",
    logLevel: "error",
    metafile: true,
    minify: true,
    platform: "browser",
    stdin: { contents, loader: "ts", resolveDir: folder },
    target: "es2022",
    write: false,
  });
  const [file] = outputFiles;
  return {
    code: file!.text,
    gzipped: gzipSync(file!.contents, { level: 9 }).length,
    /** Paths of the modules in the repository. */
    modules: Object.keys(metafile.inputs),
    imports: Object.values(metafile.outputs).flatMap(({ imports }) => imports),
  };
}
