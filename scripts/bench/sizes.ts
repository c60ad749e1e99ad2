import { build, type Plugin, stop } from "esbuild";
import { gzipSync } from "node:zlib";
import oauth2 from "../../oauth2/deno.json" with { type: "json" };
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

/** Programs, as docs/oauth2/comparison.md compares them. */
const PROGRAMS: Readonly<Record<string, BundledSet>> = {
  "token by client credentials": CLIENT,
  "login with PKCE and refresh": LOGIN_SET,
  "login with verified ID token": VERIFIED_SET,
};

/** Measures the first load of the subpaths, and programs. */
export async function benchSize(bench: Bench): Promise<void> {
  const show = async (
    name: string,
    set: BundledSet,
    options?: BundleOptions,
  ) => {
    const { gzipped } = await bundle(set, options);
    bench.show(name, "bytes", gzipped);
  };
  try {
    bench.title("First load of Client with all exports of a subpath");
    for (const [name, set] of Object.entries(SUBPATH_SETS)) {
      await show(name, set, { firstLoad: true });
    }
    bench.title("Programs");
    for (const [name, set] of Object.entries(PROGRAMS)) {
      await show(name, set);
      await show(`${name}, first load`, set, { firstLoad: true });
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
  { firstLoad = false }: BundleOptions = {},
) {
  const { external = [] } = set;
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
    platform: "browser",
    plugins: firstLoad ? [WITHOUT_DYNAMIC] : [],
    stdin: { contents: exportsOf(set), loader: "ts", resolveDir: ROOT },
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
