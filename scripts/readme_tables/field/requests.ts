/** Features of clients, grants and resource servers. */
import type { Feature } from "./feature.ts";
import {
  CHALLENGE,
  GENERIC,
  JWT_AND_DPOP,
  NO_ALIASES,
  NONCE_BY_THE_APP,
  ON_REQUEST,
  OWN_ASSERTION,
  OWN_CLAIMS,
  PARAMETER,
  POLLED_BY_THE_APP,
} from "./reasons.ts";

export const REQUESTS: readonly Feature[] = [
  {
    title: "`private_key_jwt`",
    test: [
      "decisions/client_authentication_test.ts",
      "private_key_jwt signs a new assertion for the issuer with each request",
    ],
    here: ". Client",
    gem: OWN_ASSERTION,
    oauth4webapi: "PrivateKeyJwt",
    openidClient: "PrivateKeyJwt",
  },
  {
    title: "mutual TLS with endpoint aliases (RFC 8705)",
    test: [
      "mtls_test.ts",
      "withMtlsEndpoints replaces the endpoints that have an alias",
    ],
    here: "mtls withMtlsEndpoints",
    gem: NO_ALIASES,
    oauth4webapi: "TlsClientAuth",
    openidClient: "TlsClientAuth",
  },
  {
    title: "DPoP with nonces of both servers (RFC 9449)",
    test: [
      "dpop/fetch_test.ts",
      "withDpop repeats a token request once with the nonce of the server",
    ],
    here: "dpop withDpop",
    oauth4webapi: NONCE_BY_THE_APP,
    openidClient: "getDPoPHandle",
  },
  {
    title: "device authorization (RFC 8628)",
    test: [
      "e2e/features_test.ts",
      "DeviceLogin gets a token after the user has answered",
    ],
    here: "device DeviceLogin",
    oauth4webapi: POLLED_BY_THE_APP,
    openidClient: "pollDeviceAuthorizationGrant",
  },
  {
    title: "backchannel authentication (CIBA)",
    test: [
      "e2e/features_test.ts",
      "BackchannelLogin gets a token after the user has answered",
    ],
    here: "ciba BackchannelLogin",
    oauth4webapi: POLLED_BY_THE_APP,
    openidClient: "pollBackchannelAuthenticationGrant",
  },
  {
    title: "token exchange (RFC 8693)",
    test: ["exchange_test.ts", "exchangeToken sends ${name}"],
    here: "exchange exchangeToken",
    gem: GENERIC,
    oauth4webapi: GENERIC,
    openidClient: GENERIC,
  },
  {
    title: "JWT bearer with safe claims (RFC 7523)",
    test: [
      "jwt_bearer_test.ts",
      "jwtBearerToken sends safe claims, each jti once",
    ],
    here: "jwt-bearer jwtBearerToken",
    gem: OWN_CLAIMS,
    oauth4webapi: GENERIC,
    openidClient: GENERIC,
  },
  {
    title: "pushed authorization requests (RFC 9126)",
    test: [
      "par_test.ts",
      "pushAuthorization pushes the parameters with client authentication",
    ],
    here: "par pushAuthorization",
    oauth4webapi: "pushedAuthorizationRequest",
    openidClient: "buildAuthorizationUrlWithPAR",
  },
  {
    title: "signed authorization requests (RFC 9101)",
    test: [
      "request_object_test.ts",
      "signRequest signs the parameters with those of the JWT",
    ],
    here: "request-object signRequest",
    oauth4webapi: "issueRequestObject",
    openidClient: "buildAuthorizationUrlWithJAR",
  },
  {
    title: "signed authorization responses (JARM)",
    test: [
      "jarm_test.ts",
      "JarmValidator returns the parameters of a signed response",
    ],
    here: "jarm JarmValidator",
    oauth4webapi: "validateJwtAuthResponse",
    openidClient: "useJwtResponseMode",
  },
  {
    title: "authorization details, compared with the grant (RFC 9396)",
    test: [
      "authorization_details_test.ts",
      "compareDetails covers every detail by itself, and none by fields of Object",
    ],
    here: "authorization-details compareDetails",
    gem: PARAMETER,
    oauth4webapi: PARAMETER,
    openidClient: PARAMETER,
    simpleOauth2: PARAMETER,
    badgateway: PARAMETER,
  },
  {
    title: "resource indicators, compared with the grant (RFC 8707)",
    test: [
      "resource_indicators_test.ts",
      "missingResources compares with ${JSON.stringify(aud)}",
    ],
    here: "resource-indicators missingResources",
    gem: PARAMETER,
    oauth4webapi: PARAMETER,
    openidClient: PARAMETER,
    simpleOauth2: PARAMETER,
    badgateway: PARAMETER,
  },
  {
    title: "step-up authentication (RFC 9470)",
    test: [
      "step_up_test.ts",
      "withStepUp resolves the error of an AccessToken",
    ],
    here: "step-up withStepUp",
    oauth4webapi: CHALLENGE,
    openidClient: CHALLENGE,
  },
  {
    title: "dynamic client registration (RFC 7591)",
    test: [
      "registration_test.ts",
      "register sends the metadata as JSON, with the initial access token",
    ],
    here: "registration register",
    oauth4webapi: "dynamicClientRegistrationRequest",
    openidClient: "dynamicClientRegistration",
  },
  {
    title: "introspection (RFC 7662)",
    test: [
      "introspection_test.ts",
      "introspect sends the token and returns the claims",
    ],
    here: "introspection introspect",
    oauth4webapi: "introspectionRequest",
    openidClient: "tokenIntrospection",
    badgateway: "OAuth2Client.introspect",
  },
  {
    title: "signed introspection (RFC 9701)",
    test: ["introspection_test.ts", "introspect validates a signed response"],
    here: "introspection introspect",
    oauth4webapi: ON_REQUEST,
    openidClient: ON_REQUEST,
  },
  {
    title: "protected resource metadata (RFC 9728)",
    test: [
      "protected_resource_test.ts",
      "discoverResource uses the URL of a challenge",
    ],
    here: "protected-resource discoverResource",
    oauth4webapi: "resourceDiscoveryRequest",
  },
  {
    title: "clients of the Model Context Protocol",
    test: [
      "mcp_test.ts",
      "connectMcp registers a public client and signs in with the resource",
    ],
    here: "mcp connectMcp",
  },
  {
    title: "access tokens verified for a resource server",
    test: [
      "verify/verifier_test.ts",
      "TokenVerifier returns the claims and scopes of a JWT",
    ],
    here: "verify TokenVerifier",
    oauth4webapi: JWT_AND_DPOP,
  },
];
