import {
  BASIC_CLIENTS,
  BRIEF,
  CERTIFIED,
  CONFIDENTIAL,
  IMPLICIT,
  OTHER,
  PRIVATE_KEY,
  PUBLIC,
  REDIRECT_URI,
  type Registration,
  SECRET_JWT,
  USER,
} from "./_clients.ts";

/** Representation of a realm, with the clients and the user. */
export function keycloakRealm(realm: string, publicKey: JsonWebKey): object {
  return {
    realm,
    enabled: true,
    // Rotation: a refresh token is valid for one use.
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    users: [{
      username: USER.username,
      enabled: true,
      email: "maria@example.com",
      emailVerified: true,
      firstName: "Maria",
      lastName: "Conceição",
      credentials: [{ type: "password", value: USER.password }],
    }],
    clients: [
      ...BASIC_CLIENTS.map(client),
      {
        ...client(PRIVATE_KEY),
        clientAuthenticatorType: "client-jwt",
        attributes: {
          "use.jwks.string": "true",
          "jwks.string": JSON.stringify({ keys: [publicKey] }),
        },
      },
      { ...client(SECRET_JWT), clientAuthenticatorType: "client-secret-jwt" },
      {
        ...client(CERTIFIED),
        clientAuthenticatorType: "client-x509",
        attributes: { "x509.subjectdn": `CN=${CERTIFIED.id}` },
      },
    ],
  };
}

function client(registration: Registration): object {
  const { id, secret, grant } = registration;
  return {
    clientId: id,
    ...(secret !== undefined && { secret }),
    publicClient: registration === PUBLIC || registration === IMPLICIT,
    consentRequired: registration === OTHER || registration === IMPLICIT,
    standardFlowEnabled: grant === "authorization_code",
    implicitFlowEnabled: grant === "implicit",
    serviceAccountsEnabled: grant === "client_credentials",
    directAccessGrantsEnabled: grant === "password",
    redirectUris: [REDIRECT_URI],
    attributes: registration === BRIEF
      ? { "access.token.lifespan": "1" }
      : registration === CONFIDENTIAL
      ? {
        "oauth2.device.authorization.grant.enabled": "true",
        "standard.token.exchange.enabled": "true",
      }
      : {},
  };
}
