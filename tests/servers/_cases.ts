import { AUTHENTICATION } from "./_cases/authentication.ts";
import { EXAMPLE_PROGRAM } from "./_cases/example.ts";
import { GRANTS } from "./_cases/grants.ts";
import { TOKENS } from "./_cases/tokens.ts";

/** Cases that run on every server, in the order of the README's table. */
export const CASES = {
  ...AUTHENTICATION,
  ...GRANTS,
  ...TOKENS,
  ...EXAMPLE_PROGRAM,
};

/** Name of a case. */
export type CaseName = keyof typeof CASES;
