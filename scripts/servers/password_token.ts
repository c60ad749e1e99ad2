import { BRIEF, PERSON } from "./registered.ts";

/**
 * An access token for the client whose tokens expire soon, from a token
 * endpoint that knows the password grant.
 */
export async function getPasswordToken(endpoint: string): Promise<string> {
  const response = await fetch(endpoint, {
    method: "POST",
    body: new URLSearchParams({
      ...PERSON,
      grant_type: "password",
      scope: "openid",
      client_id: BRIEF.id,
      client_secret: BRIEF.secret ?? "",
    }),
  });
  const { access_token } = await response.json();
  if (typeof access_token === "string") return access_token;
  throw new Error(`Cannot get a token: status ${response.status}`);
}
