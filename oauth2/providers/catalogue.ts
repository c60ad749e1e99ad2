/**
 * Catalogue of providers, as data. The declarations of the package have what is
 * written here: a spread or a template would be missing or imprecise.
 */
import type { Provider } from "./provider.ts";

/** Providers by name. */
export const PROVIDERS = {
  /** Apple; `appleClientSecret` creates the secret. */
  apple: {
    name: "Apple",
    sources: [
      "https://developer.apple.com/documentation/sign_in_with_apple/generate_and_validate_tokens",
      "https://arcticjs.dev/providers/apple",
    ],
    issuer: "https://appleid.apple.com",
    jwksUri: "https://appleid.apple.com/auth/keys",
    authorizeUrl: "https://appleid.apple.com/auth/authorize",
    tokenUrl: "https://appleid.apple.com/auth/token",
    revokeUrl: "https://appleid.apple.com/auth/revoke",
    profileUrl: null,
    authScheme: "request_body",
    quirks: {},
  },
  /** Auth0; `domain` is the domain of the tenant. */
  auth0: {
    name: "Auth0",
    sources: ["https://arcticjs.dev/providers/auth0"],
    issuer: "https://{domain}/",
    authorizeUrl: "https://{domain}/authorize",
    tokenUrl: "https://{domain}/oauth/token",
    revokeUrl: "https://{domain}/oauth/revoke",
    profileUrl: "https://{domain}/userinfo",
    authScheme: "basic_auth",
    quirks: {},
  },
  /** Bling, the ERP. */
  bling: {
    name: "Bling",
    sources: ["https://developer.bling.com.br/aplicativos"],
    authorizeUrl: "https://www.bling.com.br/Api/v3/oauth/authorize",
    tokenUrl: "https://api.bling.com.br/Api/v3/oauth/token",
    revokeUrl: null,
    profileUrl: null,
    authScheme: "basic_auth",
    quirks: { secretEncoding: "raw" },
  },
  /** Amazon Cognito; `domain` is the domain of the user pool. */
  cognito: {
    name: "Amazon Cognito",
    sources: [
      "https://docs.aws.amazon.com/cognito/latest/developerguide/token-endpoint.html",
      "https://docs.aws.amazon.com/cognito/latest/developerguide/revocation-endpoint.html",
    ],
    authorizeUrl: "https://{domain}/oauth2/authorize",
    tokenUrl: "https://{domain}/oauth2/token",
    revokeUrl: "https://{domain}/oauth2/revoke",
    profileUrl: "https://{domain}/oauth2/userInfo",
    authScheme: "basic_auth",
    quirks: { secretEncoding: "raw" },
  },
  /** Discord. */
  discord: {
    name: "Discord",
    sources: ["https://discord.com/.well-known/oauth-authorization-server"],
    issuer: "https://discord.com",
    authorizeUrl: "https://discord.com/api/oauth2/authorize",
    tokenUrl: "https://discord.com/api/oauth2/token",
    revokeUrl: "https://discord.com/api/oauth2/token/revoke",
    profileUrl: "https://discord.com/api/users/@me",
    authScheme: "basic_auth",
    quirks: {},
  },
  /** Facebook; `version` is the version of the Graph API. */
  facebook: {
    name: "Facebook",
    sources: [
      "https://developers.facebook.com/docs/graph-api/guides/error-handling",
      "https://arcticjs.dev/providers/facebook",
    ],
    authorizeUrl: "https://www.facebook.com/{version}/dialog/oauth",
    tokenUrl: "https://graph.facebook.com/{version}/oauth/access_token",
    revokeUrl: null,
    profileUrl: "https://graph.facebook.com/{version}/me",
    authScheme: "request_body",
    variables: { version: "v16.0" },
    quirks: {
      textResponses: true,
      error: { code: "error.type", description: "error.message" },
    },
  },
  /** GitHub. Its errors have the status 200. */
  github: {
    name: "GitHub",
    sources: [
      "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
      "https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors",
    ],
    authorizeUrl: "https://github.com/login/oauth/authorize",
    tokenUrl: "https://github.com/login/oauth/access_token",
    revokeUrl: null,
    profileUrl: "https://api.github.com/user",
    authScheme: "request_body",
    quirks: { responseScopes: "," },
  },
  /** GitLab; `site` is the URL of your own instance, if you run one. */
  gitlab: {
    name: "GitLab",
    sources: ["https://arcticjs.dev/providers/gitlab"],
    issuer: "{site}",
    authorizeUrl: "{site}/oauth/authorize",
    tokenUrl: "{site}/oauth/token",
    revokeUrl: "{site}/oauth/revoke",
    profileUrl: "{site}/oauth/userinfo",
    authScheme: "basic_auth",
    variables: { site: "https://gitlab.com" },
    quirks: {},
  },
  /** Google. A refresh token needs `access_type: "offline"`. */
  google: {
    name: "Google",
    sources: [
      "https://developers.google.com/identity/protocols/oauth2/limited-input-device",
      "https://arcticjs.dev/providers/google",
    ],
    issuer: "https://accounts.google.com",
    jwksUri: "https://www.googleapis.com/oauth2/v3/certs",
    authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    revokeUrl: "https://oauth2.googleapis.com/revoke",
    profileUrl: "https://openidconnect.googleapis.com/v1/userinfo",
    authScheme: "request_body",
    quirks: { fieldNames: { verification_url: "verification_uri" } },
  },
  /** Login Único of gov.br. */
  govBr: {
    name: "gov.br",
    sources: [
      "https://acesso.gov.br/roteiro-tecnico/iniciarintegracao.html",
      "https://github.com/servicosgovbr/manual-roteiro-integracao-login-unico/blob/master/procuracaoeletronica.rst",
    ],
    issuer: "https://{host}/",
    jwksUri: "https://{host}/jwk",
    authorizeUrl: "https://{host}/authorize",
    tokenUrl: "https://{host}/token",
    revokeUrl: null,
    profileUrl: "https://{host}/userinfo",
    authScheme: "basic_auth",
    variables: { host: "sso.acesso.gov.br" },
    quirks: { secretEncoding: "raw" },
  },
  /** Keycloak; `site` is the URL of the realm. */
  keycloak: {
    name: "Keycloak",
    sources: ["https://arcticjs.dev/providers/keycloak"],
    issuer: "{site}",
    authorizeUrl: "{site}/protocol/openid-connect/auth",
    tokenUrl: "{site}/protocol/openid-connect/token",
    revokeUrl: "{site}/protocol/openid-connect/revoke",
    profileUrl: "{site}/protocol/openid-connect/userinfo",
    authScheme: "basic_auth",
    quirks: {},
  },
  /** LinkedIn. Its responses have no `token_type`. */
  linkedIn: {
    name: "LinkedIn",
    sources: [
      "https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens",
      "https://arcticjs.dev/providers/linkedin",
    ],
    authorizeUrl: "https://www.linkedin.com/oauth/v2/authorization",
    tokenUrl: "https://www.linkedin.com/oauth/v2/accessToken",
    revokeUrl: null,
    profileUrl: "https://api.linkedin.com/v2/userinfo",
    authScheme: "request_body",
    quirks: { responseScopes: "," },
  },
  /** Mercado Livre. */
  mercadoLivre: {
    name: "Mercado Livre",
    sources: [
      "https://developers.mercadolivre.com.br/pt_br/autenticacao-e-autorizacao",
      "https://arcticjs.dev/providers/mercadolibre",
    ],
    authorizeUrl: "https://auth.mercadolivre.com.br/authorization",
    tokenUrl: "https://api.mercadolibre.com/oauth/token",
    revokeUrl: null,
    profileUrl: "https://api.mercadolibre.com/users/me",
    authScheme: "request_body",
    quirks: {},
  },
  /** Mercado Pago. */
  mercadoPago: {
    name: "Mercado Pago",
    sources: [
      "https://www.mercadopago.com.br/developers/pt/reference/oauth/_oauth_token/post",
      "https://arcticjs.dev/providers/mercadopago",
    ],
    authorizeUrl: "https://auth.mercadopago.com/authorization",
    tokenUrl: "https://api.mercadopago.com/oauth/token",
    revokeUrl: null,
    profileUrl: "https://api.mercadopago.com/users/me",
    authScheme: "request_body",
    quirks: {},
  },
  /** Microsoft Entra ID; `tenant` is a tenant, or `common` for any. */
  microsoft: {
    name: "Microsoft Entra ID",
    sources: [
      "https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc",
      "https://arcticjs.dev/providers/microsoft-entra-id",
    ],
    issuer: "https://login.microsoftonline.com/{tenant}/v2.0",
    jwksUri: "https://login.microsoftonline.com/{tenant}/discovery/v2.0/keys",
    authorizeUrl:
      "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize",
    tokenUrl: "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
    revokeUrl: null,
    profileUrl: "https://graph.microsoft.com/oidc/userinfo",
    authScheme: "request_body",
    variables: { tenant: "common" },
    quirks: {
      issuerTemplate: "https://login.microsoftonline.com/{tenantid}/v2.0",
    },
  },
  /** Okta; `server` is the id of the authorization server. */
  okta: {
    name: "Okta",
    sources: ["https://arcticjs.dev/providers/okta"],
    issuer: "https://{domain}/oauth2/{server}",
    authorizeUrl: "https://{domain}/oauth2/{server}/v1/authorize",
    tokenUrl: "https://{domain}/oauth2/{server}/v1/token",
    revokeUrl: "https://{domain}/oauth2/{server}/v1/revoke",
    profileUrl: "https://{domain}/oauth2/{server}/v1/userinfo",
    authScheme: "basic_auth",
    variables: { server: "default" },
    quirks: {},
  },
  /** Slack, for the token of a bot. */
  slack: {
    name: "Slack",
    sources: [
      "https://api.slack.com/methods/oauth.v2.access",
      "https://api.slack.com/methods/auth.test",
    ],
    authorizeUrl: "https://slack.com/oauth/v2/authorize",
    tokenUrl: "https://slack.com/api/oauth.v2.access",
    revokeUrl: null,
    profileUrl: "https://slack.com/api/auth.test",
    authScheme: "basic_auth",
    quirks: { scopeSeparator: ",", responseScopes: ",", tokenTypes: ["bot"] },
  },
  /** Slack, for the token of a user. */
  slackUser: {
    name: "Slack",
    sources: [
      "https://api.slack.com/methods/oauth.v2.access",
      "https://api.slack.com/methods/auth.test",
    ],
    authorizeUrl: "https://slack.com/oauth/v2/authorize",
    tokenUrl: "https://slack.com/api/oauth.v2.access",
    revokeUrl: null,
    profileUrl: "https://slack.com/api/auth.test",
    authScheme: "basic_auth",
    quirks: {
      scopeSeparator: ",",
      responseScopes: ",",
      parameterNames: { scope: "user_scope" },
      tokenPath: "authed_user",
      tokenTypes: ["user"],
    },
  },
  /** Spotify. */
  spotify: {
    name: "Spotify",
    sources: ["https://arcticjs.dev/providers/spotify"],
    authorizeUrl: "https://accounts.spotify.com/authorize",
    tokenUrl: "https://accounts.spotify.com/api/token",
    revokeUrl: null,
    profileUrl: "https://api.spotify.com/v1/me",
    authScheme: "basic_auth",
    quirks: {},
  },
  /** Strava. */
  strava: {
    name: "Strava",
    sources: ["https://developers.strava.com/docs/authentication/"],
    authorizeUrl: "https://www.strava.com/oauth/authorize",
    tokenUrl: "https://www.strava.com/api/v3/oauth/token",
    revokeUrl: null,
    profileUrl: "https://www.strava.com/api/v3/athlete",
    authScheme: "request_body",
    quirks: { scopeSeparator: "," },
  },
  /** TikTok. */
  tikTok: {
    name: "TikTok",
    sources: [
      "https://developers.tiktok.com/doc/oauth-user-access-token-management",
      "https://developers.tiktok.com/doc/oauth-error-handling",
    ],
    authorizeUrl: "https://www.tiktok.com/v2/auth/authorize/",
    tokenUrl: "https://open.tiktokapis.com/v2/oauth/token/",
    revokeUrl: "https://open.tiktokapis.com/v2/oauth/revoke/",
    profileUrl: "https://open.tiktokapis.com/v2/user/info/",
    authScheme: "request_body",
    quirks: {
      parameterNames: { client_id: "client_key" },
      scopeSeparator: ",",
      responseScopes: ",",
    },
  },
  /** Twitch. */
  twitch: {
    name: "Twitch",
    sources: [
      "https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/",
      "https://dev.twitch.tv/docs/authentication/refresh-tokens/",
      "https://dev.twitch.tv/docs/authentication/revoke-tokens/",
    ],
    authorizeUrl: "https://id.twitch.tv/oauth2/authorize",
    tokenUrl: "https://id.twitch.tv/oauth2/token",
    revokeUrl: "https://id.twitch.tv/oauth2/revoke",
    profileUrl: "https://id.twitch.tv/oauth2/userinfo",
    authScheme: "request_body",
    quirks: {
      responseScopes: "list",
      error: {
        code: "message",
        codes: { "Invalid refresh token": "invalid_grant" },
      },
    },
  },
  /** X, formerly Twitter. */
  x: {
    name: "X",
    sources: [
      "https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token",
    ],
    authorizeUrl: "https://x.com/i/oauth2/authorize",
    tokenUrl: "https://api.x.com/2/oauth2/token",
    revokeUrl: "https://api.x.com/2/oauth2/revoke",
    profileUrl: "https://api.x.com/2/users/me",
    authScheme: "basic_auth",
    quirks: {},
  },
} as const satisfies { readonly [name: string]: Provider };
