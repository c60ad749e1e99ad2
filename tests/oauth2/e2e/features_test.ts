/** Grants and requests beyond sign-in, at a certified server. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { BackchannelLogin } from "../../../oauth2/grants/ciba.ts";
import { DeviceLogin } from "../../../oauth2/grants/device.ts";
import { introspect } from "../../../oauth2/server/introspection.ts";
import { Client, discover, OAuth2Error } from "../../../oauth2/mod.ts";
import { IdTokenValidator } from "../../../oauth2/oidc/mod.ts";
import { register, Registration } from "../../../oauth2/server/registration.ts";
import { print } from "../_print.ts";
import {
  AuthorizationServer,
  BASIC,
  type Configuration,
  REDIRECT_URI,
} from "./_authorization_server.ts";
import { CLI, visit, withDevices } from "./_device_server.ts";
import { PERSON } from "./_pages.ts";

const TILL = { id: "caixa", secret: "segredo-do-caixa-4b7e" } as const;
const API = { id: "recurso", secret: "segredo-do-recurso-9c1d" } as const;
const INITIAL_TOKEN = "inicial-2f8a6c";
const RESOURCE = "https://api.example/notes";

/** Request that waits for the user, in CIBA. */
interface Waiting {
  readonly scope: string;
  readonly jti: string;
}

/** Provider, as far as CIBA uses it. */
interface CibaProvider {
  readonly Grant: new (of: { accountId: string; clientId: string }) => {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  };
  backchannelResult(request: Waiting, result: unknown): Promise<void>;
}

/** Answer of the user on the own device. */
let decide: (() => Promise<void>) | undefined;

function configure(defaults: Configuration): object {
  const configuration = withDevices(defaults);
  const { clients, features } = configuration;
  return {
    ...configuration,
    clients: [...clients, {
      client_id: TILL.id,
      client_secret: TILL.secret,
      grant_types: ["urn:openid:params:grant-type:ciba"],
      redirect_uris: [],
      response_types: [],
      backchannel_token_delivery_mode: "poll",
    }, {
      client_id: API.id,
      client_secret: API.secret,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      introspection_signed_response_alg: "ES256",
    }],
    ttl: {
      ...configuration.ttl as object,
      BackchannelAuthenticationRequest: 600,
    },
    clientDefaults: {
      id_token_signed_response_alg: "ES256",
      introspection_signed_response_alg: "ES256",
    },
    features: {
      ...features,
      ciba: {
        enabled: true,
        processLoginHint: (_: unknown, hint: string) => hint,
        validateBindingMessage: () => {},
        validateRequestContext: () => {},
        verifyUserCode: () => {},
        triggerAuthenticationDevice(
          { oidc: { provider } }: { oidc: { provider: CibaProvider } },
          request: Waiting,
          { accountId }: { accountId: string },
          { clientId }: { clientId: string },
        ) {
          decide = async () => {
            const grant = new provider.Grant({ accountId, clientId });
            grant.addOIDCScope(request.scope);
            await provider.backchannelResult(request, await grant.save());
          };
        },
      },
      jwtIntrospection: { enabled: true },
      registration: { enabled: true, initialAccessToken: INITIAL_TOKEN },
      registrationManagement: {
        enabled: true,
        rotateRegistrationAccessToken: true,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        getResourceServerInfo: () => ({ scope: "read", audience: RESOURCE }),
      },
    },
  };
}

/** Defines a test at a server with these features. */
function featureTest(
  name: string,
  run: (found: Awaited<ReturnType<typeof discover>>) => Promise<void>,
): void {
  Deno.test(name, async () => {
    const server = await AuthorizationServer.start({ configure });
    try {
      await run(await discover(server.issuer));
    } finally {
      await server.close();
    }
  });
}

const QUIET = { logger: { debug() {}, warn() {} }, debug: false };

const answer = (login: DeviceLogin, decision: "allow" | "deny") =>
  visit(login.verificationUri, login.userCode, decision);

featureTest(
  "DeviceLogin gets a token after the user has answered",
  async (found) => {
    const client = new Client(CLI, null, { ...found, ...QUIET });
    const waits: number[] = [];
    const login = await DeviceLogin.start(client, {
      scope: "openid offline_access",
    }, {
      wait: async (milliseconds) => {
        waits.push(milliseconds);
        assert(waits.length <= 2, "the server has not told the answer");
        if (waits.length === 2) await answer(login, "allow");
      },
    });
    assert(login.verificationUriComplete?.includes(login.userCode));
    assert(!print(login).includes(login.userCode));
    const token = await login.getToken();
    assertEquals(waits, [5000, 5000]);
    const claims = await new IdTokenValidator(client)
      .validate(token.params.id_token, { nonce: false });
    assertEquals(claims.sub, PERSON.login);
    assert((await token.refresh()).token !== token.token);
  },
);

featureTest("DeviceLogin reports the refusal of the user", async (found) => {
  const client = new Client(CLI, null, { ...found, ...QUIET });
  let waits = 0;
  const login: DeviceLogin = await DeviceLogin.start(client, {
    scope: "openid",
  }, {
    wait: async () => {
      assert(++waits <= 2, "the server has not told the refusal");
      // The page after it is an error page without a form.
      await assertRejects(() => answer(login, "deny"));
    },
  });
  const { code } = await assertRejects(() => login.getToken(), OAuth2Error);
  assertEquals(code, "access_denied");
});

featureTest(
  "BackchannelLogin gets a token after the user has answered",
  async (found) => {
    const client = new Client(TILL.id, TILL.secret, { ...found, ...QUIET });
    let waits = 0;
    const login = await BackchannelLogin.start(client, {
      scope: "openid",
      login_hint: PERSON.login,
      binding_message: "W4SCT",
    }, {
      wait: async () => {
        assert(++waits <= 2, "the server has not told the answer");
        if (waits === 2) await decide?.();
      },
    });
    const token = await login.getToken();
    assertEquals(waits, 2);
    const claims = await new IdTokenValidator(client)
      .validate(token.params.id_token, { nonce: false });
    assertEquals(claims.sub, PERSON.login);
  },
);

featureTest("introspect reads a token, unsigned and signed", async (found) => {
  const client = new Client(API.id, API.secret, { ...found, ...QUIET });
  const { token } = await client.clientCredentials.getToken({
    resource: RESOURCE,
    scope: "read",
  });
  for (const signed of [false, true]) {
    const result = await introspect(client, token, {}, {
      signed,
      algorithms: ["ES256"],
    });
    if (!result.active) throw new Error("the token is inactive");
    assertEquals(result.client_id, API.id);
    assertEquals(result.scope, "read");
    assertEquals(result.aud, RESOURCE);
  }
  assertEquals(await introspect(client, "another token"), { active: false });
});

featureTest("register, read, update and delete a client", async (found) => {
  const asked = {
    redirect_uris: ["https://app.example/callback"],
    client_name: "Agenda",
    contacts: ["dev@app.example"],
    grant_types: ["authorization_code", "client_credentials"],
    token_endpoint_auth_method: "client_secret_post",
    unknown_member: "a",
  };
  const registration = await register(found, asked, {
    initialAccessToken: INITIAL_TOKEN,
  });
  // The server ignores a member that it does not know.
  assertEquals(registration.differences, ["unknown_member"]);
  const { clientId, clientSecret, authScheme } = registration;
  assertEquals(authScheme, "request_body");
  const client = new Client(clientId, clientSecret, {
    ...found,
    ...QUIET,
    authScheme,
  });
  assert((await client.clientCredentials.getToken()).token);

  const restored = Registration.fromHash(
    JSON.parse(JSON.stringify(registration.toHash())),
  );
  const read = await restored.read();
  assertEquals(read.metadata.client_name, "Agenda");
  const updated = await read.update({ client_name: "Diário", contacts: null });
  assertEquals(updated.differences, []);
  assertEquals(updated.metadata.client_name, "Diário");
  assertEquals(updated.metadata.contacts, undefined);
  // The server rotates the token with an update.
  const error = await assertRejects(() => read.read(), OAuth2Error);
  assertEquals(error.status, 401);
  await updated.delete();
  await assertRejects(() => updated.read(), OAuth2Error);
  await assertRejects(() => client.clientCredentials.getToken(), OAuth2Error);
});

featureTest(
  "register is refused without the initial access token",
  async (found) => {
    const { code } = await assertRejects(
      () => register(found, { redirect_uris: [REDIRECT_URI] }),
      OAuth2Error,
    );
    assertEquals(code, "invalid_token");
  },
);

featureTest("introspect is refused with another secret", async (found) => {
  const client = new Client(BASIC.id, "outro", { ...found, ...QUIET });
  const { code } = await assertRejects(
    () => introspect(client, "token"),
    OAuth2Error,
  );
  assertEquals(code, "invalid_client");
});
