import type { Language } from "./cep.ts";

/**
 * True as soon as the packages are on npm and JSR and the images in a registry.
 * The first release sets it, and `deno task readme` then removes the notes.
 */
export const PUBLISHED = false;

/** Note where a document first names a package, empty once it is published. */
export function publicationNote(
  name: "cep" | "oauth2",
  version: string,
  language: Language,
): string {
  if (PUBLISHED) return "";
  const build = "`npx -y deno@2.9 task npm`";
  const install = `\`npm install ./npm/carteiro-${name}-${version}.tgz\``;
  return {
    en: `> Not on npm, JSR or a container registry yet. In a clone,
> ${build} builds the packages, and
> ${install} installs this one.`,
    pt:
      `> Ainda não está no npm, no JSR nem em um registro de contêineres. Em um clone,
> ${build} monta os pacotes, e
> ${install} instala este.`,
  }[language];
}
