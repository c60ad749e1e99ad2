/** Conventions of the sources that no linter checks. */
import { assertEquals } from "@std/assert";
import { readdirSync } from "node:fs";
import { ROOT } from "../../scripts/root.ts";
import { readPackages, readText } from "./_repository.ts";

const FOLDERS = ["cep", "examples", "oauth2", "scripts", "tests"];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
);

Deno.test("tests are named *_test.ts, and helpers and their folders _*", () => {
  const others = sources.filter((path) =>
    path.startsWith("tests/") && !/_test\.ts$|\/_/.test(path)
  );
  // The exceptions of `deno task test:runtimes`.
  assertEquals(others, ["tests/exceptions.ts"]);
});

/** Declaration with `using`, which Node 22 cannot parse. */
const USING = /^\s*(?:await )?using \w+ =/m;

Deno.test("packages have no declarations with `using`, which Node 22 cannot parse", () => {
  const packages = sources.filter((path) => /^(?:cep|oauth2)\//.test(path));
  assertEquals(packages.filter((path) => USING.test(readText(path))), []);
});

/** Modules that users import, by the `exports` of their packages. */
const PUBLIC = new Set(
  readPackages().flatMap(({ folder, manifest }) =>
    Object.values(
      typeof manifest.exports === "string"
        ? { ".": manifest.exports }
        : manifest.exports,
    ).map((path) => (folder && `${folder}/`) + path.slice("./".length))
  ),
);

Deno.test("only modules that users import have @module headers", () => {
  const others = sources.filter((path) =>
    !path.startsWith("examples/") && !PUBLIC.has(path) &&
    /^ \* @module$/m.test(readText(path))
  );
  assertEquals(others, []);
});
