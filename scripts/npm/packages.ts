/** The packages on npm, and what of them no `deno.json` can tell. */

/** A package as it stands in the repository. */
export interface Source {
  /** Folder of its `deno.json`, seen from the root of the repository. */
  readonly folder: string;
  /** One line for those who search. */
  readonly description: string;
  /** Words that people search for. */
  readonly keywords: readonly string[];
  /** Name of the command that runs the `main` of its `main.ts`. */
  readonly command?: string;
}

/** Oldest Node in which a CommonJS program can `require` an ES module. */
export const OLDEST_NODE = "22.12";

/** Every package, those that others depend on first. */
export const SOURCES: readonly Source[] = [
  {
    folder: "cep",
    description: "A self-hosted service for Brazilian postal codes (CEP)",
    keywords: ["cep", "correios", "dne", "postal-code", "brazil", "libsql"],
    // What its `--help` calls it. And of several commands `npx` would choose
    // the one that is called like the package.
    command: "cep",
  },
  {
    folder: "oauth2",
    description: "An OAuth 2.0 client library, safe by default",
    keywords: ["oauth2", "oauth", "client", "pkce", "token", "fetch"],
  },
  {
    folder: ".",
    description: "The modules of Carteiro under one name: cep and oauth2",
    keywords: ["cep", "oauth2"],
  },
];
