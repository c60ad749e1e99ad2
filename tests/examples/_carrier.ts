/** Carrier that quotes prices, with its authorization server. */
import { assertEquals } from "@std/assert";

/** Credentials of the service. */
export const CLIENT = { id: "loja: 50%", secret: "segredo: 100% +1/2 = 5c0d" };

/** Part of every token. */
export const TOKEN_MARK = "-8e1f";

/** One server for both. It accepts tokens until they are revoked. */
export class Carrier implements AsyncDisposable {
  /** Number of tokens issued. */
  issued = 0;
  /** Lifetime of a token in seconds. */
  expiresIn = 3600;
  /** Responds to a request for a quote with a valid token. */
  answer: (parcel: unknown) => Response | Promise<Response> = () =>
    Response.json({ price_cents: 2350, days: 4 });
  readonly #valid = new Set<string>();
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => this.#serve(request),
  );

  /** Settings of the service. */
  get settings(): Record<string, string> {
    const url = `http://127.0.0.1:${this.#server.addr.port}`;
    return {
      CARRIER_URL: `${url}/v1/`,
      CARRIER_TOKEN_URL: `${url}/oauth/token`,
      CARRIER_CLIENT_ID: CLIENT.id,
      CARRIER_CLIENT_SECRET: CLIENT.secret,
    };
  }

  /** Revokes every token. */
  revoke(): void {
    this.#valid.clear();
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
      const access_token = `token-${++this.issued}${TOKEN_MARK}`;
      this.#valid.add(`Bearer ${access_token}`);
      const expires_in = this.expiresIn;
      return Response.json({ access_token, token_type: "bearer", expires_in });
    }
    assertEquals(pathname, "/v1/quotes");
    const parcel = await request.json();
    return this.#valid.has(authorization)
      ? await this.answer(parcel)
      : Response.json({ error: "invalid_token" }, { status: 401 });
  }

  /** Stops after the requests in flight. */
  close(): Promise<void> {
    return this.#server.shutdown();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
