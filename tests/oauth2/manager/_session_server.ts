/**
 * Server with many sessions that rotates refresh tokens and ends a session at a
 * reuse. It revokes the very token that is named: a token that was rotated is
 * not one, and its successor stays alive, as RFC 7009 allows.
 */

/** Session of a login. */
export interface Session {
  readonly name: string;
  /** Refresh tokens, the last of which is alive. */
  readonly tokens: string[];
  isAlive: boolean;
  /** Refresh token that was used again. */
  reused: string | undefined;
}

/** Sessions, by their tokens. */
export class SessionServer {
  readonly #sessions = new Map<string, Session>();
  #count = 0;

  /** Begins a session, and returns the fields of its token. */
  login(): Record<string, unknown> {
    const name = `s${this.#count++}`;
    const session = { name, tokens: [], isAlive: true, reused: undefined };
    return this.#issue(session);
  }

  /** Answers a refresh. */
  refresh(token: string): Record<string, unknown> | undefined {
    const session = this.#sessions.get(token);
    if (!session) return undefined;
    if (token !== session.tokens.at(-1)) {
      session.reused ??= token;
      session.isAlive = false;
    }
    return session.isAlive ? this.#issue(session) : undefined;
  }

  /** Revokes a token. */
  revoke(token: string): void {
    const session = this.#sessions.get(token);
    if (session?.tokens.at(-1) === token) session.isAlive = false;
  }

  /** Returns the session of a refresh token or an access token. */
  sessionOf(token: string): Session {
    return this.#sessions.get(token.replace("access", "refresh"))!;
  }

  /** Lists the sessions. */
  list(): Session[] {
    return [...new Set(this.#sessions.values())];
  }

  #issue(session: Session): Record<string, unknown> {
    const suffix = `${session.name}-${session.tokens.length}`;
    const refresh_token = `refresh-${suffix}`;
    session.tokens.push(refresh_token);
    this.#sessions.set(refresh_token, session);
    return {
      access_token: `access-${suffix}`,
      refresh_token,
      token_type: "bearer",
      expires_in: LIFETIME,
    };
  }
}

/** Lifetime of access tokens in seconds. */
export const LIFETIME = 60;
