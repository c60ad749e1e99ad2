import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MCP_PACKAGE } from "../../cep/http/routes/mcp.ts";
import { ROOT } from "../root.ts";

/** Package of the repository, with the fields that its `deno.json` lacks. */
export interface Source {
  /** Folder of its `deno.json`, relative to the root of the repository. */
  readonly folder: string;
  readonly description: string;
  readonly keywords: readonly string[];
  /** Packages of others that only a setting needs, with their versions. */
  readonly optional?: Readonly<Record<string, string>>;
  /** Name of the command that runs the `main` of its `main.ts`. */
  readonly command?: string;
}

/** Packages of the repository, dependencies first. */
export const SOURCES: readonly Source[] = [
  {
    folder: "cep",
    description: "A self-hosted service for Brazilian postal codes (CEP)",
    keywords: ["cep", "correios", "dne", "postal-code", "brazil", "libsql"],
    optional: { [MCP_PACKAGE.name]: MCP_PACKAGE.version },
    // With this name, `npx @carteiro/cep` finds the command.
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

/** Part of a `deno.json`, and its path in the repository. */
export interface Declaration {
  readonly file: string;
  readonly name: string;
  readonly version: string;
  readonly exports: string | Readonly<Record<string, string>>;
}

/** Reads the `deno.json` of every package, in the order of {@linkcode SOURCES}. */
export function readDeclarations(): Promise<Declaration[]> {
  return Promise.all(SOURCES.map(async ({ folder }) => {
    const file = join(folder, "deno.json");
    return { file, ...JSON.parse(await readFile(join(ROOT, file), "utf8")) };
  }));
}

const TARGET = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@([^/]+)(\/.*)?$/;

/** Returns `name/file.js` for `npm:name@^1.0.0/file.js`. */
export function npmName(target: string): string {
  return target.replace(TARGET, (_, name, _range, path = "") => name + path);
}

/** Returns `name@^1.0.0` for `npm:name@^1.0.0/file.js`. */
export function npmRange(target: string): string {
  return target.replace(TARGET, "$1@$2");
}
