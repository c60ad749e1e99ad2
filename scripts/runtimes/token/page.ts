/**
 * A page that signs a person in: the authorization code with PKCE, for a public
 * client. Its title tells what came of it.
 */
import { Client, discover, pkce, randomState } from "../../../oauth2/mod.ts";

/** What the page keeps while the person is at the server. */
interface Pending {
  readonly issuer: string;
  readonly id: string;
  readonly state: string;
  readonly verifier: string;
}

// Of the DOM, which Deno's types do not have.
const { document } = globalThis as unknown as { document: { title: string } };
const PENDING = "pending";
const here = new URL(location.href);
const redirectUri = here.origin + here.pathname;

try {
  const code = here.searchParams.get("code");
  if (code === null) await leave();
  else await comeBack(code);
} catch (error) {
  document.title = String(error);
}

/** Goes to the server that the address names. */
async function leave(): Promise<void> {
  const { issuer = "", id = "" } = Object.fromEntries(here.searchParams);
  const client = await clientOf(issuer, id);
  const { challenge, method, verifier } = await pkce();
  const state = randomState();
  const pending: Pending = { issuer, id, state, verifier };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  location.assign(client.authCode.authorizeUrl({
    scope: "openid profile",
    state,
    code_challenge: challenge,
    code_challenge_method: method,
  }));
}

/** Gets a token for the code, and asks with it for the person's name. */
async function comeBack(code: string): Promise<void> {
  const { issuer, id, state, verifier }: Pending = JSON.parse(
    sessionStorage.getItem(PENDING) ?? "{}",
  );
  if (here.searchParams.get("state") !== state) {
    throw new Error("Cannot sign in: the state is not that of this page");
  }
  const client = await clientOf(issuer, id);
  const token = await client.authCode.getToken(code, {
    code_verifier: verifier,
  });
  const { parsed } = await token.get(`${issuer}/me`);
  document.title = `Signed in: ${(parsed as { name: string }).name}`;
}

async function clientOf(issuer: string, id: string): Promise<Client> {
  const { metadata: _, ...endpoints } = await discover(issuer);
  return new Client(id, undefined, { ...endpoints, redirectUri });
}
