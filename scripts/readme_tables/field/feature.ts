/** Comparison of this library with others, feature by feature. */

/** Partial support, and the reason that a note gives. */
export interface Partly {
  readonly partly: string;
}

/**
 * Support of a feature by an export (`name` or `Class.method`), by default
 * (`true`), or in part.
 */
export type Support = string | true | Partly;

/** Row: a feature without support by a library lacks its member. */
export interface Feature extends Partial<Record<LibraryKey, Support>> {
  readonly title: string;
  /** File below `tests/oauth2/`, and name of a test, as in its source. */
  readonly test: readonly [file: string, name: string];
  /** Subpath and name of an export of this library. */
  readonly here?: string | Partly;
}

/** Member of a `Feature` for another library. */
export type LibraryKey =
  | "gem"
  | "oauth4webapi"
  | "openidClient"
  | "simpleOauth2"
  | "badgateway"
  | "arctic";

/** Other library, in the version that was compared. */
export interface Library {
  readonly title: string;
  readonly version: string;
  /** Name on npm. */
  readonly npm?: string;
}

/** The other libraries, in the order of the columns. */
export const LIBRARIES: Readonly<Record<LibraryKey, Library>> = {
  gem: { title: "Ruby gem", version: "2.0.21" },
  oauth4webapi: {
    title: "oauth4webapi",
    version: "3.8.8",
    npm: "oauth4webapi",
  },
  openidClient: {
    title: "openid-client",
    version: "6.8.9",
    npm: "openid-client",
  },
  simpleOauth2: {
    title: "simple-oauth2",
    version: "5.1.0",
    npm: "simple-oauth2",
  },
  badgateway: {
    title: "@badgateway/oauth2-client",
    version: "3.3.1",
    npm: "@badgateway/oauth2-client",
  },
  arctic: { title: "arctic", version: "3.7.0", npm: "arctic" },
};
