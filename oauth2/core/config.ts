import { checkNames, type KnownNames, knownNames } from "./names.ts";

/** Settings of the process; the option `config` of a client overrides them. */
export interface Config {
  /**
   * Silences the warning about a response with more than one token field.
   *
   * @default {true}
   */
  silenceExtraTokensWarning: boolean;
  /**
   * Silences the warnings about an empty token and about a response without the
   * field `tokenName`.
   *
   * @default {true}
   */
  silenceNoTokensWarning: boolean;
  /**
   * Text that replaces a secret in logs, messages and inspections.
   *
   * @default {"[FILTERED]"}
   */
  filteredLabel: string;
  /**
   * Names of parameters, fields and headers with secret values, in any
   * spelling: `user_code` matches `userCode` and `User-Code`.
   *
   * Some names are always secret: those that end in token, secret, password,
   * passphrase, passcode, passwd, pwd, assertion, credential, apikey,
   * authorization, cookie or signature, those whose last word is key, pin, otp,
   * totp, jwt, auth, session or sig, and `auth_code`, `authorization_code`,
   * `pre-authorized_code`, `mfa_code`, `oob_code`, `otp_code`, `tx_code`,
   * `backup_code`, `recovery_code`, `verification_code` and `SAMLResponse`. In
   * requests to the authorization server, every parameter is secret, except for
   * `scope`, `state`, `resource`, `audience`, `client_id`, `redirect_uri`,
   * `code_challenge`, its method, and those that end in `type` or `type_hint`.
   *
   * @default {access_token, refresh_token, id_token, id_token_hint,
   * client_secret, client_assertion, code, code_verifier, device_code,
   * user_code, verification_uri_complete, auth_req_id, username, request, dpop}
   */
  filteredDebugKeys: string[];
}

/**
 * Settings of the process. A client reads `filteredLabel` and
 * `filteredDebugKeys` when it is created; later changes do not affect it.
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
    "verification_uri_complete",
    "auth_req_id",
    "username",
    "request",
    "dpop",
  ],
};

/** Names of {@linkcode Config}. */
export const CONFIG_NAMES: KnownNames = knownNames<Config>(config);

/**
 * Changes the settings of the process.
 *
 * @throws {TypeError} If the function has set an unknown setting.
 *
 * @example
 * ```ts
 * import { configure } from "@carteiro/oauth2";
 *
 * configure((config) => {
 *   config.filteredLabel = "[REDACTED]";
 *   config.filteredDebugKeys.push("cpf");
 * });
 * ```
 */
export function configure(change: (config: Config) => void): void {
  change(config);
  checkNames(config, CONFIG_NAMES);
}

/** Globals that exist in some runtimes. */
interface Runtime {
  Deno?: {
    permissions: {
      querySync(what: { name: "env"; variable: string }): { state: string };
    };
  };
  process?: { env?: Record<string, string | undefined> };
}

/**
 * Returns true if the environment has `OAUTH_DEBUG=true`, and false if it
 * cannot be read. Never prompts for a permission.
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
