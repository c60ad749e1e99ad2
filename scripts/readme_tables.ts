import { BUILD } from "../cep/build.ts";
import { withTables } from "./markdown.ts";
import { cepTables, type Language } from "./readme_tables/cep.ts";
import { serversTable } from "./readme_tables/oauth2.ts";
import { publicationNote } from "./readme_tables/publication.ts";
import { ROOT } from "./root.ts";

const { version } = BUILD;

/** Tables by path of the document and name of their marks. */
export const README_TABLES: Readonly<
  Record<string, Readonly<Record<string, string>>>
> = {
  "README.md": { published: publicationNote("cep", version, "en") },
  "README.pt-BR.md": { published: publicationNote("cep", version, "pt") },
  "oauth2/README.md": { published: publicationNote("oauth2", version, "en") },
  ...cepDocuments("en", "cep/README.md", "docs/cep"),
  ...cepDocuments("pt", "cep/README.pt-BR.md", "docs/cep/pt-BR"),
  "docs/oauth2/servers.md": { servers: serversTable() },
};

/** Tables of the documentation of `cep` in a language. */
function cepDocuments(language: Language, readme: string, chapters: string) {
  const { endpoints, errors, fields, first, settings, tables } = cepTables(
    language,
  );
  return {
    [readme]: {
      published: publicationNote("cep", version, language),
      endpoints,
      first,
    },
    [`${chapters}/api.md`]: { fields, errors },
    [`${chapters}/settings.md`]: { settings },
    [`${chapters}/operating.md`]: { tables },
  };
}

if (import.meta.main) {
  for (const [path, tables] of Object.entries(README_TABLES)) {
    const readme = Deno.readTextFileSync(ROOT + path);
    Deno.writeTextFileSync(ROOT + path, withTables(readme, tables));
  }
}
