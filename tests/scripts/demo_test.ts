import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";

const DEMO = fileURLToPath(new URL("../../scripts/demo.ts", import.meta.url));

Deno.test("demo ends with status 2 and names a setting that cannot be used", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", DEMO],
    env: { API_PORT: "abc" },
  }).output();
  const decoder = new TextDecoder();
  assertEquals(code, 2);
  assertEquals(decoder.decode(stdout), "");
  assertEquals(
    decoder.decode(stderr),
    'Cannot read the settings:\n  API_PORT="abc": ' +
      "must be whole number, 0 to 65535\n",
  );
});
