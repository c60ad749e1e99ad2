/** Server that rotates refresh tokens, and revokes a family at a reuse. */

/** Refresh token that was used. */
interface Use {
  readonly at: number;
  readonly successor: string;
}

/** Options of a {@linkcode RotatingServer}. */
export interface RotatingServerOptions {
  /** Clock in milliseconds. */
  readonly now: () => number;
  /** Lifetime of access tokens in seconds. @default {300} */
  readonly lifetime?: number;
  /** Milliseconds during which a reuse is forgiven. @default {0} */
  readonly overlap?: number;
}

/** One session at an authorization server, and its API. */
export class RotatingServer {
  readonly #options: Required<RotatingServerOptions>;
  readonly #used = new Map<string, Use>();
  readonly #expiries = new Map<string, number>();
  #count = 0;
  #current = "refresh-0";
  isRevoked = false;
  /** Refresh tokens that were used again, beyond the overlap. */
  readonly reuses: string[] = [];
  /** Refresh tokens that were used again within the overlap. */
  readonly forgiven: string[] = [];

  constructor({ lifetime = 300, overlap = 0, now }: RotatingServerOptions) {
    this.#options = { lifetime, overlap, now };
  }

  /** Number of rotations. */
  get rotations(): number {
    return this.#used.size;
  }

  /** Fields of the token of a login. */
  login(): Record<string, unknown> {
    return this.#issue();
  }

  /** Answers a token request with this refresh token. */
  refresh(token: string): Response {
    const fields = this.rotate(token);
    return fields
      ? Response.json(fields)
      : Response.json({ error: "invalid_grant" }, { status: 400 });
  }

  /** Returns the fields of a new token, or undefined if it refuses. */
  rotate(token: string): Record<string, unknown> | undefined {
    const { now, overlap } = this.#options;
    const use = this.#used.get(token);
    if (use && !this.isRevoked && now() - use.at < overlap) {
      this.forgiven.push(token);
      return this.#issue(use.successor);
    }
    if (use) {
      this.reuses.push(token);
      this.isRevoked = true;
    }
    if (this.isRevoked || token !== this.#current) return undefined;
    this.#current = `refresh-${this.#used.size + 1}`;
    this.#used.set(token, { at: now(), successor: this.#current });
    return this.#issue();
  }

  /** Revokes a refresh token; one that was rotated is none. */
  revoke(token: string): Response {
    if (token === this.#current) this.isRevoked = true;
    return new Response();
  }

  /** Answers a request to the API. */
  serve(authorization: string | null): Response {
    const token = authorization?.replace("Bearer ", "") ?? "";
    const isValid = !this.isRevoked &&
      (this.#expiries.get(token) ?? 0) > this.#options.now();
    return isValid ? new Response("ok") : new Response(null, {
      status: 401,
      headers: { "www-authenticate": 'Bearer error="invalid_token"' },
    });
  }

  #issue(refresh_token = this.#current): Record<string, unknown> {
    const { now, lifetime } = this.#options;
    const access_token = `access-${this.#count++}`;
    this.#expiries.set(access_token, now() + lifetime * 1000);
    return { access_token, refresh_token, expires_in: lifetime };
  }
}
