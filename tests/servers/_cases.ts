import { AUTHENTICATION } from "./_cases/authentication.ts";
import { EXAMPLE_PROGRAM } from "./_cases/example.ts";
import { GRANTS } from "./_cases/grants.ts";
import { SENDER_CONSTRAINT } from "./_cases/sender_constraint.ts";
import { SIGN_IN } from "./_cases/sign_in.ts";
import { SUBPATHS } from "./_cases/subpaths.ts";
import { TOKEN_MANAGER } from "./_cases/token_manager.ts";
import { TOKENS } from "./_cases/tokens.ts";

/** Cases that run on every server, in the order of the table. */
export const CASES = {
  ...AUTHENTICATION,
  ...GRANTS,
  ...SIGN_IN,
  ...SENDER_CONSTRAINT,
  ...TOKENS,
  ...TOKEN_MANAGER,
  ...SUBPATHS,
  ...EXAMPLE_PROGRAM,
};

/** Name of a case. */
export type CaseName = keyof typeof CASES;
