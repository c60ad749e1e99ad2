/**
 * Writes tables from the sources into the documentation of `cep` and `oauth2`,
 * between marks such as `<!-- settings … -->` and `<!-- /settings -->`.
 *
 * @module
 */
import { withTables } from "./markdown.ts";
import { cepTables, type Language } from "./readme_tables/cep.ts";
import { growingTable } from "./readme_tables/growing.ts";
import { fieldTable, serversTable } from "./readme_tables/oauth2.ts";
import { ROOT } from "./root.ts";

/** Tables by path of the document and name of their marks. */
export const README_TABLES: Readonly<
  Record<string, Readonly<Record<string, string>>>
> = {
  ...cepDocuments("en", "cep/README.md", "docs/cep"),
  ...cepDocuments("pt", "cep/README.pt-BR.md", "docs/cep/pt-BR"),
  "docs/oauth2/servers.md": { servers: serversTable() },
  "docs/oauth2/comparison.md": { field: fieldTable() },
};

/** Tables of the documentation of `cep` in a language. */
function cepDocuments(language: Language, readme: string, chapters: string) {
  const { endpoints, errors, fields, settings, tables } = cepTables(language);
  return {
    [readme]: { endpoints, fields, settings },
    [`${chapters}/api.md`]: { errors },
    [`${chapters}/growing.md`]: { growing: growingTable(language) },
    [`${chapters}/operating.md`]: { tables },
  };
}

if (import.meta.main) {
  for (const [path, tables] of Object.entries(README_TABLES)) {
    const readme = Deno.readTextFileSync(ROOT + path);
    Deno.writeTextFileSync(ROOT + path, withTables(readme, tables));
  }
}
