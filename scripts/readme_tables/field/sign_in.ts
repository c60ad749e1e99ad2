/** Features of sign-in and OpenID Connect. */
import type { Feature } from "./feature.ts";
import {
  CODE_AND_STATE,
  HYBRID_HASHES,
  KEPT_BY_THE_APP,
  NO_ISSUER,
  ON_REQUEST,
} from "./reasons.ts";

export const SIGN_IN: readonly Feature[] = [
  {
    title: "sign-in: one call to start, one for the callback",
    test: [
      "sign_in/sign_in_test.ts",
      "start builds the URL of an authorization request with state, nonce and PKCE",
    ],
    here: "sign-in SignIn",
    openidClient: KEPT_BY_THE_APP,
    badgateway: CODE_AND_STATE,
  },
  {
    title: "sign-in sealed in a cookie",
    test: ["sign_in/seal_test.ts", "seal and unseal return any JSON value"],
    here: "sign-in seal",
  },
  {
    title: "`state` compared",
    test: ["openid_vectors/response.json", "refuses another state"],
    here: "sign-in SignIn",
    oauth4webapi: "validateAuthResponse",
    openidClient: "authorizationCodeGrant",
    badgateway: "OAuth2AuthorizationCodeClient.validateResponse",
  },
  {
    title: "`iss` compared (RFC 9207)",
    test: ["openid_vectors/response.json", "refuses the iss of another server"],
    here: "sign-in SignIn",
    oauth4webapi: "validateAuthResponse",
    openidClient: "authorizationCodeGrant",
  },
  {
    title: "claims and `nonce` of ID tokens validated",
    test: ["openid_vectors/id_token.json", "refuses another nonce"],
    here: "oidc IdTokenValidator",
    oauth4webapi: "processAuthorizationCodeResponse",
    openidClient: "authorizationCodeGrant",
  },
  {
    title: "signature of ID tokens verified by default",
    test: [
      "openid_vectors/id_token.json",
      "refuses a wrong signature with RS256",
    ],
    here: "oidc IdTokenValidator",
    oauth4webapi: ON_REQUEST,
    openidClient: ON_REQUEST,
  },
  {
    title: "keys of the server cached, and fetched again within limits",
    test: [
      "oidc/jwks_test.ts",
      "Jwks loads the keys once more for an unknown kid, at most once in cooldown",
    ],
    here: "oidc Jwks",
    oauth4webapi: "jwksCache",
    openidClient: "setJwksCache",
  },
  {
    title: "`at_hash` and `c_hash` compared",
    test: [
      "openid_vectors/id_token.json",
      "refuses the at_hash of another access token",
    ],
    here: "oidc IdTokenValidator",
    oauth4webapi: HYBRID_HASHES,
    openidClient: HYBRID_HASHES,
  },
  {
    title: "`sub` of UserInfo compared",
    test: ["openid_vectors/userinfo.json", "refuses another sub"],
    here: "oidc fetchUserInfo",
    oauth4webapi: "processUserInfoResponse",
    openidClient: "fetchUserInfo",
  },
  {
    title: "signed UserInfo verified by default",
    test: ["openid_vectors/userinfo.json", "refuses a wrong signature"],
    here: "oidc fetchUserInfo",
    oauth4webapi: ON_REQUEST,
    openidClient: ON_REQUEST,
  },
  {
    title: "encrypted ID tokens (JWE)",
    test: ["openid_vectors/id_token.json", "refuses an encrypted ID token"],
    oauth4webapi: "jweDecrypt",
    openidClient: "enableDecryptingResponses",
  },
  {
    title: "hybrid flow (`code id_token`)",
    test: [
      "openid_vectors/response.json",
      "refuses an ID token in the response",
    ],
    oauth4webapi: "validateCodeIdTokenResponse",
    openidClient: "useCodeIdTokenResponseType",
  },
  {
    title: "back-channel logout validated",
    test: [
      "oidc/back_channel_logout_test.ts",
      "BackChannelLogout.end returns the claims",
    ],
    here: "oidc BackChannelLogout",
  },
  {
    title: "sessions of a web application, from login to logout",
    test: [
      "session/session_test.ts",
      "Session signs a user in, renews the token and signs the user out",
    ],
    here: "session Session",
  },
  {
    title: "URL of a logout",
    test: [
      "oidc/end_session_url_test.ts",
      "endSessionUrl adds parameters to the query of the endpoint",
    ],
    here: "oidc endSessionUrl",
    openidClient: "buildEndSessionUrl",
  },
  {
    title: "discovery with the issuer compared",
    test: ["discover_test.ts", "discover returns the options of a client"],
    here: "discover discover",
    oauth4webapi: "processDiscoveryResponse",
    openidClient: "discovery",
    badgateway: NO_ISSUER,
  },
];
