import type { Cases } from "./case.ts";
import { AUTHENTICATION } from "./cases/authentication.ts";
import { EXAMPLES } from "./cases/example.ts";
import { GRANTS } from "./cases/grants.ts";
import { TOKENS } from "./cases/tokens.ts";

/** The cases that run on every server, in the order of the table. */
export const CASES: Cases = {
  ...AUTHENTICATION,
  ...GRANTS,
  ...TOKENS,
  ...EXAMPLES,
};
