/** Settings of the process, which a client may have for itself. */
export interface Config {
  /**
   * Silences the warning about an answer with more than one field that could
   * be the token.
   *
   * @default true
   */
  silenceExtraTokensWarning: boolean;
  /**
   * Silences the warning about a token made without a value, or without the
   * field that its `tokenName` names.
   *
   * @default true
   */
  silenceNoTokensWarning: boolean;
  /**
   * Text that replaces a secret in logs, messages and inspections.
   *
   * @default "[FILTERED]"
   */
  filteredLabel: string;
  /**
   * Names of parameters, fields and headers whose values are secret, in any
   * spelling: `user_code` stands for `userCode` and `User-Code` too. Names that
   * end in token, secret, password, passphrase, passcode, passwd, pwd, assertion,
   * credential, apikey, authorization, cookie or signature, or whose last word is
   * key, pin, otp, totp, jwt, auth, session or sig, are always secret, and so are `auth_code`,
   * `authorization_code`, `mfa_code`, `otp_code` and `verification_code`.
   */
  filteredDebugKeys: string[];
}

/**
 * Settings of the process. A client reads the label and the names when it is
 * made; later changes do not touch it. The option `config` of a client takes
 * precedence.
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
    "client_secret",
    "client_assertion",
    "code",
    "code_verifier",
    "device_code",
    "user_code",
    "username",
    "request",
    "dpop",
  ],
};

/**
 * Changes the settings of the process.
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

/** Globals that some runtimes have and others lack. */
interface Runtime {
  Deno?: {
    permissions: {
      querySync(what: { name: "env"; variable: string }): { state: string };
    };
  };
  process?: { env?: Record<string, string | undefined> };
}

/**
 * Reads from the environment whether a debug log is wanted: `OAUTH_DEBUG=true`.
 * False where the environment may not be read; no permission is prompted for.
 */
export function isDebugWanted(): boolean {
  const { Deno: deno, process } = globalThis as Runtime;
  const variable = "OAUTH_DEBUG";
  try {
    const { state = "granted" } =
      deno?.permissions.querySync({ name: "env", variable }) ?? {};
    return state === "granted" &&
      process?.env?.[variable]?.toLowerCase() === "true";
  } catch {
    return false;
  }
}
