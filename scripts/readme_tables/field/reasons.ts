/** Reasons for partial support. */
import type { Partly } from "./feature.ts";

export const KEPT_BY_THE_APP: Partly = {
  partly:
    "One call for the callback; the application makes and keeps `state`, `nonce` and the code verifier.",
};
export const CODE_AND_STATE: Partly = {
  partly:
    "One call for the callback; the application makes and keeps `state` and the code verifier.",
};
export const ON_REQUEST: Partly = {
  partly:
    "The signature is verified on request: `validateApplicationLevelSignature`, `enableNonRepudiationChecks`.",
};
export const HYBRID_HASHES: Partly = {
  partly: "`c_hash` and `s_hash` of the hybrid flow, not `at_hash`.",
};
export const NO_ISSUER: Partly = {
  partly: "Finds the endpoints, and does not compare the issuer.",
};
export const OWN_ASSERTION: Partly = {
  partly: "With an assertion that the application signs.",
};
export const NO_ALIASES: Partly = {
  partly: "With a client certificate, without endpoint aliases.",
};
export const NONCE_BY_THE_APP: Partly = {
  partly:
    "Remembers nonces; the application repeats the request (`isDPoPNonceError`).",
};
export const POLLED_BY_THE_APP: Partly = {
  partly: "One request per call; the application polls.",
};
export const GENERIC: Partly = {
  partly: "By the call for any grant, without checks and types of its own.",
};
export const OWN_CLAIMS: Partly = {
  partly: "Without default claims.",
};
export const PARAMETER: Partly = {
  partly: "As a parameter of the request, without comparison.",
};
export const CHALLENGE: Partly = {
  partly: "Parses the challenge; the application starts the sign-in.",
};
export const JWT_AND_DPOP: Partly = {
  partly:
    "JWTs and DPoP (`validateJwtAccessToken`), without introspection, mutual TLS and challenges for the response.",
};
export const OWN_STORE: Partly = {
  partly: "By two functions of the application, which read and write a token.",
};
export const ANY_401: Partly = {
  partly: "After any 401.",
};
export const FOLLOWED: Partly = {
  partly:
    "Follows redirects of the token endpoint to other origins as `fetch` does, without `Authorization`, but after 307 and 308 with the body (arctic not on Node), and accepts the token of that origin.",
};
export const TOKENS_BY_HAND: Partly = {
  partly: "Except for tokens from a response.",
};
export const OBJECTS: Partly = {
  partly: "Secrets of clients; tokens are plain objects.",
};
export const IN_PAYLOAD: Partly = {
  partly: "In the body, as `data.payload` of the error.",
};
export const AN_OPTION: Partly = {
  partly: "By an option.",
};
export const NET_HTTP: Partly = {
  partly: "60 seconds to connect and 60 for each read, of Net::HTTP.",
};
export const SOME_OPTIONS: Partly = {
  partly: "Options for the name of the token, its extraction and parsers.",
};
export const SOME_NAMES: Partly = {
  partly:
    "Options for two parameter names, the scope separator and the encoding of the secret.",
};
