/**
 * Writes tables from the sources into the READMEs of `cep` and `oauth2`,
 * between marks such as `<!-- settings … -->` and `<!-- /settings -->`.
 *
 * @module
 */
import { withTables } from "./markdown.ts";
import { cepTables } from "./readme_tables/cep.ts";
import { growingTable } from "./readme_tables/growing.ts";
import { serversTable } from "./readme_tables/oauth2.ts";
import { ROOT } from "./root.ts";

/** Tables by path of the README and name of their marks. */
export const README_TABLES: Readonly<
  Record<string, Readonly<Record<string, string>>>
> = {
  "cep/README.md": { ...cepTables("en"), growing: growingTable("en") },
  "cep/README.pt-BR.md": { ...cepTables("pt"), growing: growingTable("pt") },
  "oauth2/README.md": { servers: serversTable() },
};

if (import.meta.main) {
  for (const [path, tables] of Object.entries(README_TABLES)) {
    const readme = Deno.readTextFileSync(ROOT + path);
    Deno.writeTextFileSync(ROOT + path, withTables(readme, tables));
  }
}
