/** Device logins at the certified server: its features, and its user. */
import { Browser } from "./_browser.ts";
import { type Configuration, REDIRECT_URI } from "./_authorization_server.ts";
import { PERSON } from "./_pages.ts";

/** Client for device logins, without a secret. */
export const CLI = "terminal";

const show = (ctx: { body: string }, form: string) => {
  ctx.body = form;
};

/** Adds device logins to the configuration of the server. */
export function withDevices(configuration: Configuration): Configuration {
  return {
    ...configuration,
    ttl: { ...configuration.ttl as object, DeviceCode: 600 },
    clients: [...configuration.clients, {
      client_id: CLI,
      token_endpoint_auth_method: "none",
      grant_types: [
        "urn:ietf:params:oauth:grant-type:device_code",
        "refresh_token",
      ],
      redirect_uris: [],
      response_types: [],
      application_type: "native",
    }],
    features: {
      ...configuration.features,
      deviceFlow: {
        enabled: true,
        userCodeInputSource: show,
        userCodeConfirmSource: show,
        successSource: (ctx: { redirect(url: string): void }) =>
          ctx.redirect(REDIRECT_URI),
      },
    },
  };
}

/** Visits the pages of a device login and answers them. */
export async function visit(
  verificationUri: string,
  userCode: string,
  decision: "allow" | "deny",
): Promise<void> {
  const { login, password } = PERSON;
  const browser = new Browser({
    login,
    password,
    user_code: userCode,
    decision,
  });
  await browser.authorize(verificationUri, REDIRECT_URI);
}
