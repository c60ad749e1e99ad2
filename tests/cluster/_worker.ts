/** Workers in workerd, the runtime of Cloudflare Workers. */
import { build, type Metafile } from "esbuild";
import { createRequire } from "node:module";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { download } from "../../scripts/runtimes/node.ts";

/** Code of a worker, and the files that it is made of. */
export interface BundledWorker {
  readonly script: string;
  readonly metafile: Metafile;
}

/** The npm package `miniflare`, which starts workerd. */
interface MiniflareModule {
  readonly Miniflare: new (options: object) => {
    dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
    dispose(): Promise<void>;
  };
}

/** Bundles a worker, as the command line of Cloudflare does. */
export async function bundleWorker(
  contents: string,
  folder: string,
): Promise<BundledWorker> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", ...builtinModules],
    format: "esm",
    logLevel: "silent",
    metafile: true,
    minify: true,
    target: "es2022",
    write: false,
  });
  return { script: outputFiles[0]!.text, metafile };
}

/** Running worker. */
export class Worker implements AsyncDisposable {
  readonly #miniflare: InstanceType<MiniflareModule["Miniflare"]>;

  private constructor(miniflare: InstanceType<MiniflareModule["Miniflare"]>) {
    this.#miniflare = miniflare;
  }

  /** Starts a worker, with its variables. */
  static async start(
    script: string,
    bindings: Readonly<Record<string, string>>,
  ): Promise<Worker> {
    const home = await download("miniflare", { into: "miniflare", range: "4" });
    const require = createRequire(join(home, "package.json"));
    const { Miniflare }: MiniflareModule = require("miniflare");
    return new Worker(
      new Miniflare({
        script,
        bindings,
        modules: true,
        compatibilityDate: "2026-04-01",
        compatibilityFlags: ["nodejs_compat"],
      }),
    );
  }

  /** Sends a request. */
  fetch(path: string, init?: RequestInit): Promise<Response> {
    return this.#miniflare.dispatchFetch(`http://worker.test${path}`, init);
  }

  /** Sends a request, and returns the status and the body as JSON. */
  async ask(path: string, init?: RequestInit) {
    const response = await this.fetch(path, init);
    const { status, headers } = response;
    return { status, headers, body: await response.json() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#miniflare.dispose();
  }
}
