import { assertEquals } from "@std/assert";
import type { Config } from "../../../../cep/settings/config.ts";
import { ask } from "./_peer.ts";

const PATHS = {
  viacep: "/ws/01310100/json",
  brasilapi: "/api/cep/v1/01310100",
  opencep: "/v1/01310100",
};

const CHOICES: readonly Config["compatibility"][] = [
  [],
  ["viacep"],
  ["brasilapi", "opencep"],
  ["opencep", "viacep", "brasilapi"],
];

for (const compatibility of CHOICES) {
  const choice = compatibility.join(", ") || "none";
  Deno.test(`createHandler serves the routes of the chosen services: ${choice}`, async () => {
    for (const [name, path] of Object.entries(PATHS)) {
      const { status } = await ask(path, { config: { compatibility } });
      const isServed = compatibility.some((it) => it === name);
      assertEquals(status, isServed ? 200 : 404, path);
    }
  });
}
