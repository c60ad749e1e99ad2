/** Tests in workerd, the runtime of Cloudflare Workers: one worker a file. */
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  AuthorizationServer,
  EXAMPLE,
} from "../../tests/oauth2/e2e/authorization_server.ts";
import { download } from "./download.ts";
import { attempt, type TestResult } from "./harness.ts";
import type { FileResult, Runtime } from "./runtime.ts";
import { bundle } from "./translate.ts";

/** What is used of npm's `miniflare`, which carries workerd. */
interface Miniflare {
  dispatchFetch(url: string): Promise<Response>;
  dispose(): Promise<void>;
}

interface Worker {
  readonly name: string;
  readonly modules: true;
  readonly script: string;
  readonly routes: readonly string[];
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
}

interface MiniflareModule {
  readonly Miniflare: new (options: { workers: Worker[] }) => Miniflare;
}

/** The day whose behaviour is asked for. */
const COMPATIBILITY_DATE = "2026-04-01";

/** The module of a worker that gets a token. */
const TOKEN = "scripts/runtimes/token/client.ts";

/**
 * The newest workerd.
 *
 * @param folder Where the packages are installed.
 */
export async function openWorkerd(folder: string): Promise<Runtime> {
  const it = await download("miniflare", { into: "miniflare", range: "4" });
  const require = createRequire(join(it.folder, "package.json"));
  return new Workerd(
    require("workerd/package.json").version,
    require("miniflare"),
    folder,
  );
}

class Workerd implements Runtime {
  constructor(
    readonly version: string,
    readonly module: MiniflareModule,
    readonly folder: string,
  ) {}

  async *run(files: readonly string[]): AsyncGenerator<FileResult> {
    const scripts = await Promise.all([
      ...files.map((file) =>
        this.#bundle(
          `import { runTests } from "./scripts/runtimes/harness.ts";
           export default {
             async fetch() {
               // Not before the request: until then, there is no randomness.
               const results = runTests(() => import("./${file}"));
               return Response.json(await Array.fromAsync(results));
             },
           };`,
        )
      ),
      this.#bundle(
        `import { fetchToken } from "./${TOKEN}";
         export default {
           async fetch(request) {
             const { searchParams } = new URL(request.url);
             const machine = Object.fromEntries(searchParams);
             return new Response(await fetchToken(machine));
           },
         };`,
      ),
    ]);
    const miniflare = new this.module.Miniflare({
      workers: scripts.map((script, i) => ({
        name: `worker-${i}`,
        modules: true,
        script,
        routes: [`worker-${i}.test/*`],
        compatibilityDate: COMPATIBILITY_DATE,
        compatibilityFlags: ["nodejs_compat"],
      })),
    });
    const ask = (i: number, query = "") =>
      miniflare.dispatchFetch(`http://worker-${i}.test/?${query}`);
    try {
      for (const [i, file] of files.entries()) {
        yield { file, tests: await (await ask(i)).json() as TestResult[] };
      }
      const token = await attempt(
        "a worker gets a token by client credentials",
        () => fetchToken((query) => ask(files.length, query)),
      );
      yield { file: TOKEN, tests: [token] };
    } finally {
      await miniflare.dispose();
    }
  }

  #bundle(code: string): Promise<string> {
    return bundle(code, {
      folder: this.folder,
      conditions: ["workerd", "worker", "browser"],
      external: ["node:*"],
    });
  }

  async [Symbol.asyncDispose]() {}
}

/** Has a worker get a token from a server on loopback. */
async function fetchToken(
  ask: (query: string) => Promise<Response>,
): Promise<void> {
  await using server = await AuthorizationServer.start();
  const machine = { issuer: server.issuer, ...EXAMPLE };
  const response = await ask(String(new URLSearchParams(machine)));
  const said = await response.text();
  if (said !== `active for ${EXAMPLE.id}`) throw new Error(said);
}
