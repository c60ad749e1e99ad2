import {
  BRIEF,
  CERTIFIED,
  IMPLICIT,
  OTHER,
  PERSON,
  PRIVATE_KEY,
  PUBLIC,
  REDIRECT_URI,
  type Registered,
  SECRET_JWT,
  USUAL_CLIENTS,
} from "./registered.ts";

/** The realm to import, with the clients and the person. */
export function keycloakRealm(
  { realm, publicKey }: {
    readonly realm: string;
    readonly publicKey: JsonWebKey;
  },
): object {
  return {
    realm,
    enabled: true,
    sslRequired: "none",
    // Rotation: a refresh token is good for one use.
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    users: [{
      username: PERSON.username,
      enabled: true,
      email: "maria@example.com",
      emailVerified: true,
      firstName: "Maria",
      lastName: "Conceição",
      credentials: [{ type: "password", value: PERSON.password }],
    }],
    clients: [
      ...USUAL_CLIENTS.map(client),
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

function client(registered: Registered): object {
  const { id, secret, grant } = registered;
  return {
    clientId: id,
    ...(secret !== undefined && { secret }),
    publicClient: registered === PUBLIC || registered === IMPLICIT,
    consentRequired: registered === OTHER || registered === IMPLICIT,
    standardFlowEnabled: grant === "authorization_code",
    implicitFlowEnabled: grant === "implicit",
    serviceAccountsEnabled: grant === "client_credentials",
    directAccessGrantsEnabled: grant === "password",
    redirectUris: [REDIRECT_URI],
    attributes: registered === BRIEF ? { "access.token.lifespan": "1" } : {},
  };
}
