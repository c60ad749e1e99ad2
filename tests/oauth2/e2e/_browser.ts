/** Browser without a screen, for the pages of an authorization server. */

interface Cookie {
  readonly name: string;
  readonly path: string;
  readonly value: string;
}

/** Visit of a page. */
export interface Visit {
  readonly url: URL;
  /** Form to POST. Without it, the page is requested with GET. */
  readonly form?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Page that a browser shows, or a redirect. */
export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
  /** Target of the redirect, or of the form with its answers. */
  readonly next: Visit | undefined;
}

const MAX_PAGES = 20;

/** Browser that follows redirects and fills in forms. */
export class Browser {
  readonly #answers: Readonly<Record<string, string>>;
  #cookies: Cookie[] = [];

  /**
   * @param answers Values of the fields of forms, by name. For the name of
   * buttons, the value of the button to press.
   */
  constructor(answers: Readonly<Record<string, string>>) {
    this.#answers = answers;
  }

  /** Visits a URL and the pages after it, up to the redirect URI. */
  async authorize(url: string, redirectUri: string): Promise<URL> {
    let visit: Visit = { url: new URL(url) };
    for (let page = 0; page < MAX_PAGES; page++) {
      if (isSamePage(visit.url, new URL(redirectUri))) return visit.url;
      const { next, status, text } = await this.send(visit);
      if (!next) {
        const { pathname } = visit.url;
        throw new Error(
          `Cannot continue from "${pathname}": ${status} ${text}`,
        );
      }
      visit = next;
    }
    throw new Error(`Cannot reach "${redirectUri}": too many pages`);
  }

  /** Visits a URL and the pages after it, up to one without a form. */
  async open(url: string): Promise<Page> {
    let visit: Visit = { url: new URL(url) };
    for (let page = 0; page < MAX_PAGES; page++) {
      const found = await this.send(visit);
      if (!found.next) return found;
      visit = found.next;
    }
    throw new Error(`Cannot open "${url}": too many pages`);
  }

  /** Visits one page. */
  async send({ url, form, headers }: Visit): Promise<Page> {
    if (url.hostname !== "127.0.0.1") {
      throw new Error(`Cannot visit "${url}": it is not on loopback`);
    }
    const response = await fetch(url, {
      method: form ? "POST" : "GET",
      headers: {
        accept: "text/html",
        cookie: this.#cookiesFor(url),
        ...headers,
      },
      redirect: "manual",
      ...(form ? { body: form } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      this.#keepCookie(line, url);
    }
    const text = await response.text();
    const location = response.headers.get("location");
    const next = location !== null
      ? { url: new URL(location, url) }
      : response.ok
      ? this.#fillIn(text, url)
      : undefined;
    return { url, status: response.status, text, next };
  }

  /** Names of the cookies of an application, without those of the server. */
  get cookies(): string[] {
    return this.#cookies.map(({ name }) => name)
      .filter((name) => !name.startsWith("_"));
  }

  #fillIn(html: string, page: URL): Visit | undefined {
    const [, attributes, controls] =
      html.match(/<form\b([^>]*)>(.*?)<\/form>/s) ?? [];
    if (attributes === undefined || controls === undefined) return undefined;
    const form = new URLSearchParams();
    for (
      const [, tag, text] of controls.matchAll(
        /<(input|button|textarea)\b([^>]*)>/g,
      )
    ) {
      const { name, type, value = "" } = readAttributes(text ?? "");
      if (name === undefined) continue;
      const answer = this.#answers[name];
      const isButton = tag === "button" || type === "submit";
      if (!isButton) form.set(name, answer ?? value);
      else if (answer === value) form.set(name, value);
    }
    const { action = "" } = readAttributes(attributes);
    return { url: new URL(action, page), form };
  }

  #keepCookie(line: string, from: URL): void {
    const [pair = "", ...rest] = line.split(/;\s*/);
    const at = pair.indexOf("=");
    const attributes = new Map(rest.map((part) => {
      const [name = "", value = ""] = part.split("=");
      return [name.toLowerCase(), value];
    }));
    const cookie = {
      name: pair.slice(0, at),
      path: attributes.get("path") ?? from.pathname,
      value: pair.slice(at + 1),
    };
    this.#cookies = this.#cookies.filter(({ name, path }) =>
      name !== cookie.name || path !== cookie.path
    );
    const expires = Date.parse(attributes.get("expires") ?? "");
    const isDeleted = expires <= Date.now() ||
      attributes.get("max-age") === "0";
    if (!isDeleted) this.#cookies.push(cookie);
  }

  #cookiesFor({ pathname }: URL): string {
    return this.#cookies
      .filter(({ path }) =>
        pathname === path ||
        pathname.startsWith(path.endsWith("/") ? path : `${path}/`)
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
  }
}

function isSamePage(a: URL, b: URL): boolean {
  return a.origin === b.origin && a.pathname === b.pathname;
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map((
      [, name = "", value = ""],
    ) => [name, decode(value)]),
  );
}

/** Decodes the character references of an attribute. */
function decode(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
