import { assertEquals } from "@std/assert";
import { tellRateLimit } from "../../../cep/modes/listen.ts";
import { completeConfig } from "../../../cep/settings/config.ts";
import { CapturingLogger } from "../_logger.ts";

Deno.test("tellRateLimit logs the default limit, and the setting that ends it", () => {
  const logger = new CapturingLogger();
  tellRateLimit(completeConfig(), logger);
  assertEquals(logger.entries, [{
    level: "info",
    message: "Limiting the requests of each client",
    properties: {
      atOnce: 120,
      then: "100 in 15 minutes",
      unlimited: "API_RATE_LIMIT_ENABLE=false",
    },
  }]);
});

Deno.test("tellRateLimit logs nothing without a limit", () => {
  const logger = new CapturingLogger();
  tellRateLimit(completeConfig({ rateLimit: false }), logger);
  assertEquals(logger.entries, []);
});
