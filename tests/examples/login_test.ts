/** Examples of a login with Next and SvelteKit, built as for production. */
import { join } from "node:path";
import { run } from "../../scripts/process.ts";
import { testLoginApp } from "../oauth2/e2e/_login_app.ts";
import { install, type Installed } from "./_install.ts";

/** Builds, servers and paths of the sessions. */
const APPS = {
  "login-next": {
    path: "/auth",
    build: ["next/dist/bin/next", "build"],
    start: ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1"],
  },
  "login-sveltekit": {
    path: "",
    build: ["vite/bin/vite.js", "build"],
    start: ["build/index.js"],
  },
} as const;

const installed = new Map<string, Installed>();

Deno.test.beforeAll(async () => {
  for (const [name, { build }] of Object.entries(APPS)) {
    const app = await install(name, ["@carteiro/oauth2"]);
    installed.set(name, app);
    const [program, ...args] = build;
    await run([app.node, `node_modules/${program}`, ...args], {
      cwd: app.example,
      env: { ...app.env, NEXT_TELEMETRY_DISABLED: "1" },
    });
  }
});

Deno.test.afterAll(() => {
  for (const app of installed.values()) app[Symbol.dispose]();
});

for (const [name, { path, start }] of Object.entries(APPS)) {
  testLoginApp({
    name,
    path,
    command: () => {
      const { node, example } = installed.get(name)!;
      const [program, ...args] = start;
      return [node, join(example, program), ...args];
    },
    cwd: () => installed.get(name)!.example,
  });
}
