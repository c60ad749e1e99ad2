/** A machine that gets a token, on whichever runtime. */
import { Client, discover } from "../../../oauth2/mod.ts";

/** Who asks whom. */
export interface Machine {
  /** The server. */
  readonly issuer: string;
  /** The client. */
  readonly id: string;
  /** Its secret. */
  readonly secret: string;
}

/** Gets a token by client credentials, and what the server says of it. */
export async function fetchToken(
  { issuer, id, secret }: Machine,
): Promise<string> {
  const { metadata, ...endpoints } = await discover(issuer);
  const client = new Client(id, secret, endpoints);
  const { token } = await client.clientCredentials.getToken();
  const { parsed } = await client.request(
    "post",
    String(metadata.introspection_endpoint),
    { body: { token, client_id: id, client_secret: secret } },
  );
  const { active, client_id } = parsed as Record<string, unknown>;
  return `${active ? "active" : "unknown"} for ${client_id}`;
}
