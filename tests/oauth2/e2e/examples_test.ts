/** Lengths of the examples, compared with the same programs on openid-client. */
import { assert } from "@std/assert";
import { readFileSync } from "node:fs";
import { ROOT } from "../../../scripts/root.ts";

/** Counts the lines of a program, without comments and empty lines. */
function countLines(path: string): number {
  return readFileSync(ROOT + path, "utf8")
    .replace(/^\s*(\/\*\*[^]*?\*\/|\/\/.*)$/gm, "")
    .split("\n").filter((line) => line.trim() !== "").length;
}

for (const name of ["web_login", "service", "device_login"]) {
  Deno.test(`${name}.ts is not longer than with openid-client`, () => {
    const lines = countLines(`oauth2/examples/${name}.ts`);
    const others = countLines(
      `tests/oauth2/e2e/_${name}_with_openid_client.ts`,
    );
    assert(lines > 10 && lines <= others, `${lines} lines, not ${others}`);
  });
}
