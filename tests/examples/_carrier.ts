/** The carrier that the service on Node asks, and its authorization server. */
import { assertEquals } from "@std/assert";

/** How the carrier knows the service. */
export const CLIENT = { id: "loja: 50%", secret: "segredo: 100% +1/2 = 5c0d" };

/** A part of every token. */
export const TOKEN_MARK = "-8e1f";

/** One server for both; it takes the tokens that it gave and has not revoked. */
export class Carrier implements AsyncDisposable {
  /** How many tokens were given. */
  given = 0;
  /** Seconds for which a token is good. */
  expiresIn = 3600;
  /** What a request for a quote gets, once its token is found good. */
  answer: (parcel: unknown) => Response | Promise<Response> = () =>
    Response.json({ price_cents: 2350, days: 4 });
  readonly #good = new Set<string>();
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => this.#serve(request),
  );

  /** What the service needs to know of it. */
  get settings(): Record<string, string> {
    const url = `http://127.0.0.1:${this.#server.addr.port}`;
    return {
      CARRIER_URL: `${url}/v1/`,
      CARRIER_TOKEN_URL: `${url}/oauth/token`,
      CARRIER_CLIENT_ID: CLIENT.id,
      CARRIER_CLIENT_SECRET: CLIENT.secret,
    };
  }

  /** Takes no token any more that was given so far. */
  revoke(): void {
    this.#good.clear();
  }

  async #serve(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const authorization = request.headers.get("authorization") ?? "";
    if (pathname === "/oauth/token") {
      const { id, secret } = CLIENT;
      const credentials = [id, secret].map((part) =>
        new URLSearchParams({ part }).toString().slice("part=".length)
      );
      if (authorization !== `Basic ${btoa(credentials.join(":"))}`) {
        return Response.json({ error: "invalid_client" }, { status: 401 });
      }
      const { grant_type } = Object.fromEntries(await request.formData());
      assertEquals(grant_type, "client_credentials");
      const access_token = `token-${++this.given}${TOKEN_MARK}`;
      this.#good.add(`Bearer ${access_token}`);
      const expires_in = this.expiresIn;
      return Response.json({ access_token, token_type: "bearer", expires_in });
    }
    assertEquals(pathname, "/v1/quotes");
    const parcel = await request.json();
    return this.#good.has(authorization)
      ? await this.answer(parcel)
      : Response.json({ error: "invalid_token" }, { status: 401 });
  }

  /** Answers no more; what it is asked meanwhile is answered first. */
  close(): Promise<void> {
    return this.#server.shutdown();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
