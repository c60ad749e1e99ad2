/** Features of all calls, and of their tokens. */
import type { Feature } from "./feature.ts";
import {
  AN_OPTION,
  ANY_401,
  FOLLOWED,
  IN_PAYLOAD,
  NET_HTTP,
  OBJECTS,
  OWN_STORE,
  SOME_NAMES,
  SOME_OPTIONS,
  TOKENS_BY_HAND,
} from "./reasons.ts";

export const CALLS: readonly Feature[] = [
  {
    title: "requests with a valid token, renewed once for all calls",
    test: [
      "manager/token_manager_test.ts",
      "TokenManager shares a refresh among callers, which may leave it",
    ],
    here: "manager TokenManager",
    badgateway: "OAuth2Fetch.fetch",
  },
  {
    title: "one renewal for several processes",
    test: [
      "manager/processes_test.ts",
      "TokenManager refreshes once for four processes that share a FileStore",
    ],
    here: "manager TokenManager",
  },
  {
    title: "stores of tokens",
    test: [
      "stores/encrypted_store_test.ts",
      "EncryptedStore stores no secret, and no value twice alike",
    ],
    here: "stores EncryptedStore",
    badgateway: OWN_STORE,
  },
  {
    title: "retry after 401 `invalid_token`",
    test: [
      "manager/token_manager_test.ts",
      "TokenManager.fetch sends ${name} again after 401 invalid_token",
    ],
    here: "manager TokenManager",
    badgateway: ANY_401,
  },
  {
    title: "redirects carry no credentials",
    test: [
      "decisions/redirects_test.ts",
      "request sends no credentials to another origin that the ${place} allows",
    ],
    here: ". Client",
    oauth4webapi: true,
    openidClient: true,
    simpleOauth2: true,
    badgateway: FOLLOWED,
    arctic: FOLLOWED,
  },
  {
    title: "secrets redacted when printed",
    test: [
      "decisions/secrets_test.ts",
      "print shows no secret of client, token and response",
    ],
    here: ". Client",
    gem: TOKENS_BY_HAND,
    oauth4webapi: OBJECTS,
    openidClient: OBJECTS,
    simpleOauth2: OBJECTS,
  },
  {
    title: "response size limited by default",
    test: [
      "decisions/limits_test.ts",
      'getToken ${isRead ? "reads" : "refuses"} a body of ${bytes} bytes',
    ],
    here: ". Client",
    simpleOauth2: AN_OPTION,
  },
  {
    title: "timeout by default",
    test: [
      "decisions/environment_test.ts",
      "request and getToken have a timeout of 30 seconds by default",
    ],
    here: ". Client",
    gem: NET_HTTP,
    openidClient: true,
    simpleOauth2: AN_OPTION,
  },
  {
    title: "errors say if and when a retry may help",
    test: [
      "decisions/retryable_test.ts",
      "${name} throws errors that are retryable by their status",
    ],
    here: "errors describeError",
  },
  {
    title: "errors with the code of the server",
    test: ["error_test.ts", "OAuth2Error prefers the body to the challenge"],
    here: ". OAuth2Error",
    gem: true,
    oauth4webapi: "ResponseBodyError",
    openidClient: "ResponseBodyError",
    simpleOauth2: IN_PAYLOAD,
    badgateway: "OAuth2HttpError",
    arctic: "OAuth2RequestError",
  },
  {
    title: "deviations of servers, declared",
    test: [
      "quirks_test.ts",
      "withQuirks renames parameters and separates scopes",
    ],
    here: "quirks withQuirks",
    gem: SOME_OPTIONS,
    simpleOauth2: SOME_NAMES,
  },
  {
    title: "catalogue of providers",
    test: ["providers/providers_test.ts", "PROVIDERS: each has a vector"],
    here: "providers PROVIDERS",
    arctic: "Google",
  },
  {
    title: "no dependencies",
    test: [
      "size_test.ts",
      "a bundle of ${names} imports nothing",
    ],
    here: ". Client",
    oauth4webapi: true,
    badgateway: true,
  },
  {
    title: "browsers",
    test: [
      "e2e/_token_in_page.ts",
      "a page signs a person in and gets a token, with PKCE",
    ],
    here: ". Client",
    oauth4webapi: true,
    openidClient: true,
    badgateway: true,
    arctic: true,
  },
];
