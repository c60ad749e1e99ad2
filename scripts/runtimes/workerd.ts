/** Tests in workerd, the runtime of Cloudflare Workers: one worker per file. */
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  AuthorizationServer,
  EXAMPLE,
} from "../../tests/oauth2/e2e/_authorization_server.ts";
import { bundle } from "./translate.ts";
import { download } from "./node.ts";
import type { Open, TestResult } from "./harness.ts";

/** The npm package `miniflare`, which starts workerd. */
interface MiniflareModule {
  readonly Miniflare: new (options: object) => {
    dispatchFetch(url: string): Promise<Response>;
    dispose(): Promise<void>;
  };
}

const SETTINGS = {
  modules: true,
  compatibilityDate: "2026-04-01",
  compatibilityFlags: ["nodejs_compat"],
};

/** Newest workerd. */
export const openWorkerd: Open = async (folder, stack) => {
  const home = await download("miniflare", { into: "miniflare", range: "4" });
  const require = createRequire(join(home, "package.json"));
  const { Miniflare }: MiniflareModule = require("miniflare");
  const { issuer } = stack.use(await AuthorizationServer.start());
  return {
    version: require("workerd/package.json").version,
    async run(file) {
      const script = await bundle(file, {
        folder,
        registered: { issuer, ...EXAMPLE },
        // A worker has random values only during a request.
        entry:
          "export default { fetch: async () => Response.json(await run()) }",
        conditions: ["workerd", "worker", "browser"],
        external: ["node:*"],
      });
      const miniflare = new Miniflare({ ...SETTINGS, script });
      try {
        const response = await miniflare.dispatchFetch("http://worker.test");
        if (!response.ok) throw new Error(await response.text());
        return await response.json() as TestResult[];
      } finally {
        await miniflare.dispose();
      }
    },
  };
};
