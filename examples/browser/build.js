/**
 * Builds the page in `dist/`, as static files for any web server.
 *
 * @module
 */
import { build } from "esbuild";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";

const { ISSUER, CLIENT_ID, SCOPE = "openid profile email" } = process.env;
if (!URL.canParse(ISSUER) || !CLIENT_ID) {
  console.error(
    "Cannot build: ISSUER must be the URL of the authorization server, " +
      "and CLIENT_ID must be set",
  );
  process.exit(2);
}

await rm("dist", { recursive: true, force: true });
await mkdir("dist");
await build({
  entryPoints: ["app.js"],
  outdir: "dist",
  bundle: true,
  minify: true,
  // Keeps dynamic imports of the library in separate chunks.
  splitting: true,
  format: "esm",
  target: "es2022",
  define: { "import.meta.env": JSON.stringify({ ISSUER, CLIENT_ID, SCOPE }) },
});
const html = await readFile("index.html", "utf8");
// The content security policy allows connections to this origin only.
const { origin } = new URL(ISSUER);
await writeFile("dist/index.html", html.replace("%ISSUER_ORIGIN%", origin));
await copyFile("style.css", "dist/style.css");
