/** Parameters of a query string; `undefined` ones are left out. */
export type Parameters = Readonly<
  Record<string, string | number | undefined>
>;

/** URL that those of all requests begin with. */
export class BaseUrl {
  readonly #url: URL;

  /**
   * Checks a URL.
   *
   * @param name Name of the option, for messages.
   * @throws {TypeError} If it is not a URL of HTTP, or has a user name.
   */
  constructor(name: string, url: string | URL) {
    this.#url = parse(name, url);
    this.#url.pathname = this.#url.pathname.replace(/\/*$/, "/");
    this.#url.hash = "";
  }

  /** Returns the URL of a path, whose segments are escaped. */
  of(segments: readonly string[], parameters: Parameters = {}): string {
    const url = new URL(this.#url);
    url.pathname += segments.map(encodeURIComponent).join("/");
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, `${value}`);
    }
    return url.href;
  }
}

function parse(name: string, text: string | URL): URL {
  const url = tryParse(`${text}`);
  const problem = url === undefined
    ? "it must be an absolute URL"
    : !/^https?:$/.test(url.protocol)
    ? "it must begin with https:// or http://"
    : url.username !== "" || url.password !== ""
    ? "it must not have a user name; use the option headers"
    : undefined;
  if (url !== undefined && problem === undefined) return url;
  throw new TypeError(`Cannot use ${name} "${text}": ${problem}`);
}

/** Parses a URL. (Older browsers lack `URL.parse`.) */
function tryParse(text: string): URL | undefined {
  try {
    // Only browsers have a location. An empty text is rather a missing setting.
    return new URL(text, text === "" ? undefined : globalThis.location?.href);
  } catch {
    return undefined;
  }
}
