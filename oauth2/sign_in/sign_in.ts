import {
  authorizationParams,
  type GrantParams,
  type Scope,
} from "../core/call_params.ts";
import type { Client } from "../core/client.ts";
import { onlyDefined } from "../core/params.ts";
import { ConnectionError } from "../core/error.ts";
import { OAuth2Error } from "../core/response.ts";
import { checkClient, checkNames } from "../core/names.ts";
import type { IdTokenClaims } from "../oidc/claims.ts";
import {
  type IdTokenChecks,
  IdTokenValidator,
} from "../oidc/id_token_validator.ts";
import { type Pkce, pkce as makePkce } from "../server/pkce.ts";
import { oneLine } from "../core/redactor.ts";
import { checkSeconds, checkTolerance } from "../core/seconds.ts";
import { checkRefreshed } from "../oidc/refreshed_id_token.ts";
import { type AccessToken, refreshChecks } from "../core/token.ts";
import { checkOrigin, checkPath, codeOf } from "./check_response.ts";
import {
  Flow,
  type FlowData,
  type FlowDataOf,
  type OpenIdFlowData,
  StartedFlow,
} from "./flow.ts";
import { hasOpenId, newFlow } from "./new_flow.ts";
import {
  type AuthorizationResponse,
  failSignIn,
  readResponse,
} from "./response_params.ts";
import {
  SIGN_IN_OPTIONS,
  type SignInOptions,
  type SignInParams,
} from "./sign_in_options.ts";
import { UsedFlows } from "./used_flows.ts";
import { invalid } from "../core/type_error.ts";

/** Result of a sign-in. */
export interface SignedIn<
  T extends AccessToken = AccessToken,
  Data extends FlowData = FlowData,
> {
  /** Access token. */
  readonly token: T;
  /**
   * Validated ID token as text, e.g. for `id_token_hint`; undefined without the
   * scope `openid`.
   */
  readonly idToken: Data extends OpenIdFlowData ? string : string | undefined;
  /** Claims of the ID token; undefined without the scope `openid`. */
  readonly claims: Data extends OpenIdFlowData ? IdTokenClaims
    : IdTokenClaims | undefined;
}

/** Parameters that {@linkcode SignIn.start} sets. */
const OWN_PARAMS =
  "state nonce code_challenge code_challenge_method response_type client_id"
    .split(" ");

/**
 * Sign-in with the authorization code grant and PKCE and, with the scope
 * `openid`, a validated ID token. Keep it for the life of the client: it caches
 * the keys of the server, and remembers completed sign-ins.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { SignIn } from "@carteiro/oauth2/sign-in";
 *
 * const client = new Client("abc", "secret", {
 *   site: "https://provider.example",
 *   fetch: () => Promise.resolve(Response.json({ access_token: "monkey" })),
 * });
 * const signIn = new SignIn(client);
 * const flow = await signIn.start({
 *   redirect_uri: "https://app.example/callback",
 *   scope: "notes",
 * });
 * // The server redirects the user from `flow.url` to the callback:
 * const state = new URL(flow.url).searchParams.get("state");
 * const url = `https://app.example/callback?code=4f2a&state=${state}`;
 * const { token } = await signIn.callback(url, flow);
 * console.assert(token.token === "monkey");
 * ```
 */
export class SignIn<T extends AccessToken = AccessToken> {
  #client: Client<T>;
  #options: SignInOptions;
  #lifetime: number;
  #used = new UsedFlows();
  #validator: IdTokenValidator | undefined;

  /**
   * Creates the sign-in of a client.
   *
   * @throws {TypeError} If the client has no id, or an option is misspelled or
   * invalid.
   */
  constructor(client: Client<T>, options: SignInOptions = {}) {
    checkClient(client);
    checkNames(options, SIGN_IN_OPTIONS);
    const { lifetime = 600, clockTolerance = 0 } = options;
    checkSeconds("lifetime", lifetime);
    // The validator checks it, too, but needs an issuer.
    checkTolerance(clockTolerance);
    if (client.id === undefined) {
      throw invalid("Cannot sign in: the client has no id");
    }
    refreshChecks.set(client, checkRefreshed);
    this.#client = client;
    this.#options = { ...options };
    this.#lifetime = lifetime;
    if (client.issuer !== undefined) {
      const { keys, algorithms, clockTolerance, issuerTemplate } = options;
      this.#validator = new IdTokenValidator(client, {
        keys,
        algorithms,
        clockTolerance,
        issuerTemplate,
      });
    }
  }

  /**
   * Starts a sign-in. `params` are sent in the authorization request;
   * `state`, `nonce` and PKCE are added. Redirect the user to the `url` of the
   * flow, and keep the flow for {@linkcode SignIn.callback}.
   *
   * @throws {TypeError} If a parameter is misspelled, invalid or one of those
   * that are added, or if the scope is `openid` and the metadata of the client
   * has no `issuer` or `jwks_uri`.
   */
  async start<const S extends Scope = undefined>(
    params: SignInParams<S> = {},
  ): Promise<StartedFlow<FlowDataOf<S>>> {
    const wire = authorizationParams(params);
    const own = OWN_PARAMS.find((name) => wire[name] !== undefined);
    if (own !== undefined) {
      throw invalid(`Cannot use "${own}": SignIn sets it`);
    }
    const client = this.#client;
    const expires_at = this.#now() + this.#lifetime;
    const data = newFlow(wire, client, this.#options, expires_at);
    if (data.nonce !== undefined) this.#openIdValidator();
    const { code_verifier } = data;
    const { code_verifier: _, ...challenge }: Partial<Pkce> = code_verifier
      ? await makePkce(code_verifier)
      : {};
    const { redirect_uri, state, nonce } = data;
    const request = { ...wire, redirect_uri, state, nonce, ...challenge };
    const { authorize = (params) => client.authCode.authorizeUrl(params) } =
      this.#options;
    return new StartedFlow(
      data as FlowDataOf<S>,
      await authorize(onlyDefined(request)),
    );
  }

  /**
   * Completes a sign-in: validates the authorization response, requests the
   * token and validates its ID token.
   *
   * `flow` is the result of {@linkcode SignIn.start} or its parsed JSON, e.g. of
   * `unseal<OpenIdFlowData>`; undefined, e.g. without a cookie, is refused. It
   * may be used once. `params` are sent
   * with the token request, e.g. `resource`, or are options of the call, e.g.
   * `signal`.
   *
   * @throws {ValidationError} If the response, the flow or the ID token breaks
   * a rule.
   * @throws {OAuth2Error} If the server returned an error, e.g.
   * `access_denied`, or refuses the code.
   * @throws {ConnectionError} If no complete response arrives.
   * @throws {TypeError} If `response` is of another type, or its body was read.
   */
  async callback<Data extends FlowData>(
    response: AuthorizationResponse,
    flow: Flow<Data> | Data | null | undefined,
    params: GrantParams = {},
  ): Promise<SignedIn<T, Data>> {
    const data = this.#readFlow(flow);
    const found = await readResponse(response);
    checkPath(response, data.redirect_uri);
    const client = this.#client;
    checkOrigin(found, {
      state: data.state,
      issuer: data.issuer,
      requiresIssuer: client.metadata
        ?.authorization_response_iss_parameter_supported === true,
    });
    if (data.expires_at <= this.#now()) {
      failSignIn("flow_expired", `the flow expired at ${data.expires_at}`);
    }
    // Before the code is used, so that a failure keeps the flow.
    if (data.nonce !== undefined && found.error === undefined) {
      await this.#openIdValidator().loadKeys(params.signal);
    }
    await this.#consume(data);
    const { code_verifier, nonce } = data;
    const secrets = [client.secret, code_verifier, nonce];
    const code = codeOf(found, secrets, client.config);
    const token = await client.authCode.getToken(code, {
      ...params,
      redirect_uri: data.redirect_uri,
      code_verifier: data.code_verifier,
      raiseErrors: true,
    });
    const signedIn = (idToken?: unknown, claims?: IdTokenClaims) =>
      ({ token, idToken, claims }) as unknown as SignedIn<T, Data>;
    if (data.nonce === undefined) return signedIn();
    const { id_token, token_type } = token.params;
    // OpenID Connect Core section 3.1.3.3
    if (token_type == null) {
      failSignIn("invalid_token_type", "token_type is missing");
    }
    if (id_token == null) {
      failSignIn("missing_id_token", "the token response has no id_token");
    }
    const claims = await this.#validate(id_token, {
      nonce: data.nonce,
      requireNonce: this.#options.requireNonce,
      access_token: token.token,
      code,
      state: data.state,
      max_age: data.max_age,
      acr_values: data.acr_values,
      signal: params.signal,
    });
    return signedIn(id_token, claims);
  }

  /** Validates an ID token whose code was used. */
  async #validate(
    idToken: unknown,
    checks: IdTokenChecks,
  ): Promise<IdTokenClaims> {
    try {
      return await this.#openIdValidator().validate(idToken, checks);
    } catch (error) {
      const isTemporary = (error instanceof ConnectionError ||
        error instanceof OAuth2Error) && error.retryable;
      if (!isTemporary) throw error;
      throw new ConnectionError(
        "Cannot complete the sign-in: the code was used, and the keys of the server did not arrive",
        { cause: error },
      );
    }
  }

  /** Reads a flow of this client. */
  #readFlow(flow: Flow | FlowData | null | undefined): FlowData {
    if (flow == null) {
      failSignIn(
        "missing_flow",
        "the flow is missing, e.g. because its cookie is",
      );
    }
    const data = (flow instanceof Flow ? flow : new Flow(flow)).toJSON();
    const { id, issuer } = this.#client;
    const own = {
      client_id: id,
      issuer,
      token_endpoint: this.#client.tokenUrl(),
    };
    for (const [name, value] of Object.entries(own)) {
      const given = data[name as keyof typeof own];
      if (given === value) continue;
      const shown = oneLine(`${given}`);
      failSignIn(
        "invalid_flow",
        `the ${name} of the flow is ${shown}, not ${value}`,
      );
    }
    if (hasOpenId(data.scope) !== (data.nonce !== undefined)) {
      failSignIn(
        "invalid_flow",
        "the flow has openid without a nonce",
      );
    }
    if (data.code_verifier === undefined && this.#options.pkce !== false) {
      failSignIn(
        "invalid_flow",
        "the flow has no code_verifier",
      );
    }
    return data;
  }

  async #consume({ state, expires_at }: FlowData): Promise<void> {
    const { consume = () => true } = this.#options;
    let isFirst = this.#used.consume(state, expires_at, this.#now());
    try {
      isFirst &&= await consume(state, expires_at);
    } catch (error) {
      this.#used.forget(state);
      throw error;
    }
    if (!isFirst) failSignIn("flow_used", "the flow was used before");
  }

  #openIdValidator(): IdTokenValidator {
    const { keys, algorithms } = this.#options;
    // The algorithms may be those of the client secret.
    const source = this.#client.metadata?.jwks_uri ?? keys ?? algorithms;
    if (this.#validator && source !== undefined) return this.#validator;
    throw invalid(
      'Cannot sign in with the scope "openid": the client has no issuer or no jwks_uri, which discover returns',
    );
  }

  #now(): number {
    return Math.floor(this.#client.now() / 1000);
  }
}
