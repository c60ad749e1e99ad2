/** Settings that hold for the whole process. */
export interface Config {
  /**
   * Whether to say nothing when an answer holds more than one field that
   * could be the token.
   *
   * @default true
   */
  silenceExtraTokensWarning: boolean;
  /**
   * Whether to say nothing when a token is made without a value, or its
   * `tokenName` is not among the fields.
   *
   * @default true
   */
  silenceNoTokensWarning: boolean;
  /**
   * What stands in the place of a secret in logs, messages and inspections.
   *
   * @default "[FILTERED]"
   */
  filteredLabel: string;
  /**
   * Names of parameters, fields and headers whose values are secret, in any
   * spelling: `access_token` stands for `accessToken` and `Access-Token` too.
   * Names that end with token, secret, password, assertion, credential or
   * apikey are always secret.
   */
  filteredDebugKeys: string[];
}

/**
 * The settings of this process. A client looks at the label and the names when
 * it is made, and later changes do not touch it; tokens and responses look at
 * the label when they are printed.
 *
 * @example
 * ```ts
 * import { config } from "@carteiro/oauth2";
 *
 * config.filteredDebugKeys.push("cpf");
 * ```
 */
export const config: Config = {
  silenceExtraTokensWarning: true,
  silenceNoTokensWarning: true,
  filteredLabel: "[FILTERED]",
  filteredDebugKeys: [
    "access_token",
    "refresh_token",
    "id_token",
    "id_token_hint",
    "token",
    "client_secret",
    "client_assertion",
    "assertion",
    "code",
    "code_verifier",
    "device_code",
    "user_code",
    "username",
    "password",
    "subject_token",
    "actor_token",
    "request",
    "authorization",
    "proxy_authorization",
    "dpop",
    "private_key",
    "cookie",
    "set_cookie",
  ],
};

/**
 * Changes the settings of this process.
 *
 * @example
 * ```ts
 * import { configure } from "@carteiro/oauth2";
 *
 * configure((config) => {
 *   config.filteredLabel = "[GONE]";
 *   config.filteredDebugKeys.push("client_assertion");
 * });
 * ```
 */
export function configure(change: (config: Config) => void): void {
  change(config);
}

/** What some runtimes have and others do not. */
interface Runtime {
  Deno?: {
    permissions: {
      querySync(what: { name: "env"; variable: string }): { state: string };
    };
  };
  process?: { env?: Record<string, string | undefined> };
}

/**
 * Whether the environment asks for a debug log, by `OAUTH_DEBUG=true`. Where
 * the environment may not be read, the answer is no, and nobody is asked.
 */
export function isDebugWanted(): boolean {
  const { Deno: deno, process } = globalThis as Runtime;
  const variable = "OAUTH_DEBUG";
  try {
    const allowed =
      deno?.permissions.querySync({ name: "env", variable }).state ??
        "granted";
    return allowed === "granted" &&
      process?.env?.[variable]?.toLowerCase() === "true";
  } catch {
    return false;
  }
}
