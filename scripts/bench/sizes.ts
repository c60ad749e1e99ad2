/**
 * Sizes of bundles for browsers, minified and gzipped, compared with other
 * libraries from npm.
 *
 * @module
 */
import { build, type Plugin, stop } from "esbuild";
import { gzipSync } from "node:zlib";
import manifest from "../../deno.json" with { type: "json" };
import oauth2 from "../../oauth2/deno.json" with { type: "json" };
import { npm } from "../process.ts";
import { ROOT } from "../root.ts";
import type { Bench } from "./harness.ts";

/** Exports of a package that are bundled together. */
export interface BundledSet {
  /** Name of the package. */
  readonly from: string;
  /** Names of the exports, separated by commas, or `*` for all. */
  readonly names: string;
  /** Packages that are not bundled. */
  readonly external?: string[];
  /** `browser` by default. */
  readonly platform?: "browser" | "node";
  /** Other exports of the bundle. */
  readonly and?: BundledSet;
}

const OWN = { from: "@carteiro/oauth2" };

/** Exports to request tokens. */
export const CLIENT: BundledSet = { ...OWN, names: "Client" };

/** Exports for a login and its refresh. */
export const LOGIN_SET: BundledSet = {
  ...OWN,
  names: "Client, discover, pkce, randomState",
};

/** Exports for a login with a validated ID token. */
export const SIGN_IN_SET: BundledSet = {
  ...CLIENT,
  and: { from: "@carteiro/oauth2/sign-in", names: "SignIn" },
};

/** Exports for a login with a verified ID token, at a server of any URL. */
export const VERIFIED_SET: BundledSet = {
  ...OWN,
  names: "Client, discover",
  and: SIGN_IN_SET.and!,
};

/** Exports for requests with a token that is renewed. */
export const MANAGER_SET: BundledSet = {
  ...CLIENT,
  and: { from: "@carteiro/oauth2/manager", names: "TokenManager" },
};

/** Exports of a web app: login and requests. */
export const APP_SET: BundledSet = {
  ...MANAGER_SET,
  and: {
    ...MANAGER_SET.and!,
    and: SIGN_IN_SET.and!,
  },
};

/** Client of `cep`. */
export const CEP_CLIENT: BundledSet = {
  from: "@carteiro/cep/client",
  names: "createCepClient, CepError",
};

/** `Client` alone, and with all exports of each subpath. */
export const SUBPATH_SETS: Readonly<Record<string, BundledSet>> = {
  "Client": CLIENT,
  ...Object.fromEntries(
    Object.keys(oauth2.exports).filter((path) => path !== ".").map((path) => [
      path.slice("./".length),
      {
        ...CLIENT,
        // Modules of Node are part of it.
        external: ["node:*"],
        and: { from: `@carteiro/oauth2${path.slice(1)}`, names: "*" },
      },
    ]),
  ),
};

/** Programs, and the exports that each library needs for them. */
const PROGRAMS: Readonly<Record<string, readonly BundledSet[]>> = {
  "token by client credentials": [CLIENT, {
    from: "oauth4webapi",
    names: `clientCredentialsGrantRequest, processClientCredentialsResponse,
      ClientSecretBasic`,
  }, {
    from: "openid-client",
    names: "Configuration, clientCredentialsGrant, ClientSecretBasic",
  }, {
    from: "@badgateway/oauth2-client",
    names: "OAuth2Client",
  }, {
    from: "simple-oauth2",
    names: "ClientCredentials",
    platform: "node",
  }],
  "login with PKCE and refresh": [LOGIN_SET, {
    from: "oauth4webapi",
    names: `discoveryRequest, processDiscoveryResponse,
      generateRandomCodeVerifier, calculatePKCECodeChallenge,
      generateRandomState, validateAuthResponse, authorizationCodeGrantRequest,
      processAuthorizationCodeResponse, refreshTokenGrantRequest,
      processRefreshTokenResponse, ClientSecretBasic`,
  }, {
    from: "openid-client",
    names: `discovery, buildAuthorizationUrl, randomPKCECodeVerifier,
      calculatePKCECodeChallenge, randomState, authorizationCodeGrant,
      refreshTokenGrant`,
  }, {
    from: "@badgateway/oauth2-client",
    names: "OAuth2Client, generateCodeVerifier",
  }, {
    from: "arctic",
    names: "OAuth2Client, generateState, generateCodeVerifier",
  }, {
    from: "simple-oauth2",
    names: "AuthorizationCode",
    platform: "node",
  }],
  "login with verified ID token": [VERIFIED_SET, {
    from: "oauth4webapi",
    names: `discoveryRequest, processDiscoveryResponse,
      generateRandomCodeVerifier, calculatePKCECodeChallenge,
      generateRandomState, generateRandomNonce, validateAuthResponse,
      authorizationCodeGrantRequest, processAuthorizationCodeResponse,
      validateApplicationLevelSignature, ClientSecretBasic`,
  }, {
    from: "openid-client",
    names: `discovery, buildAuthorizationUrl, randomPKCECodeVerifier,
      calculatePKCECodeChallenge, randomState, randomNonce,
      authorizationCodeGrant, enableNonRepudiationChecks`,
  }],
};

/** Measures the subpaths, and programs with this and other libraries. */
export async function benchSize(bench: Bench): Promise<void> {
  bench.title("First load of Client with all exports of a subpath");
  const show = async (
    name: string,
    set: BundledSet,
    options?: BundleOptions,
  ) => {
    const { gzipped } = await bundle(set, options);
    bench.show(name, "bytes", gzipped);
  };
  const folder = `${bench.folder}/libraries`;
  const imports: Record<string, string> = manifest.imports;
  const others = Object.values(PROGRAMS).flatMap((sets) => sets.slice(1));
  const ranges = new Set(
    others.map(({ from }) => imports[from]!.slice("npm:".length)),
  );
  const { signal } = bench;
  await npm(["install", "--prefix", folder, "--prefer-offline", ...ranges], {
    signal,
  });
  try {
    for (const [name, set] of Object.entries(SUBPATH_SETS)) {
      await show(name, set, { firstLoad: true });
    }
    for (const [program, sets] of Object.entries(PROGRAMS)) {
      bench.title(`Program: ${program}`);
      for (const set of sets) await show(set.from, set, { folder });
      const [own] = sets;
      await show(`${own!.from}, first load`, own!, { firstLoad: true });
    }
  } finally {
    await stop();
  }
  bench.note("one file each; first load: without what is imported dynamically");
}

/** Leaves dynamic imports out of a bundle. */
const WITHOUT_DYNAMIC: Plugin = {
  name: "without dynamic imports",
  setup({ onResolve }) {
    onResolve(
      { filter: /./ },
      ({ kind, path }) =>
        kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

/** Options of {@linkcode bundle}. */
interface BundleOptions {
  /** Folder with the `node_modules` of packages from npm. */
  readonly folder?: string;
  /**
   * Leaves out what is imported dynamically, as bundlers do that write it into
   * chunks of their own.
   */
  readonly firstLoad?: boolean;
}

/**
 * Bundles a set into one minified file. The process of esbuild runs until its
 * `stop` is called.
 */
export async function bundle(
  set: BundledSet,
  { folder = ROOT, firstLoad = false }: BundleOptions = {},
) {
  const { external = [], platform = "browser" } = set;
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    alias: {
      "@carteiro/cep/client": `${ROOT}cep/client/mod.ts`,
      ...Object.fromEntries(
        Object.entries(oauth2.exports).map(([path, file]) => [
          `@carteiro/oauth2${path.slice(1)}`,
          `${ROOT}oauth2/${file}`,
        ]),
      ),
    },
    bundle: true,
    external,
    format: "esm",
    legalComments: "none",
    logLevel: "error",
    metafile: true,
    minify: true,
    // For imports of the sources, which are outside the folder.
    nodePaths: [`${folder}/node_modules`],
    platform,
    plugins: firstLoad ? [WITHOUT_DYNAMIC] : [],
    stdin: { contents: exportsOf(set), loader: "ts", resolveDir: folder },
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

function exportsOf({ from, names, and }: BundledSet): string {
  const others = and ? exportsOf(and) : "";
  const exported = names === "*" ? names : `{ ${names} }`;
  return `export ${exported} from "${from}";\n${others}`;
}
