/** Files of the repository, by their paths in it. */
import { ROOT } from "../../scripts/root.ts";

/** Chapters of the documentation of `cep`: names of files in `docs/cep`. */
const CEP_CHAPTERS = listNames("docs/cep").filter((name) =>
  name.endsWith(".md")
);

/** Documentation of `cep`, by language: the README and its chapters. */
export const CEP_DOCUMENTS = {
  en: ["cep/README.md", ...CEP_CHAPTERS.map((name) => `docs/cep/${name}`)],
  pt: [
    "cep/README.pt-BR.md",
    ...CEP_CHAPTERS.map((name) => `docs/cep/pt-BR/${name}`),
  ],
} as const;

/** Reads the text of a file. */
export function readText(path: string): string {
  return Deno.readTextFileSync(ROOT + path);
}

/** Reads the README of `cep` and its chapters, as one text. */
export function readCepDocuments(language: keyof typeof CEP_DOCUMENTS): string {
  return CEP_DOCUMENTS[language].map(readText).join("\n");
}

/** Reads the value of a JSON file. */
// deno-lint-ignore no-explicit-any -- any file
export function readJson(path: string): any {
  return JSON.parse(readText(path));
}

/** Lists the names of the files and folders in a folder, sorted. */
export function listNames(folder: string): string[] {
  return [...Deno.readDirSync(ROOT + folder)].map(({ name }) => name).sort();
}

/** Reads the packages of the workspace: folders and manifests. */
export function readPackages(): { folder: string; manifest: Manifest }[] {
  const { workspace } = readJson("deno.json") as { workspace: string[] };
  return ["./", ...workspace].map((path) => {
    const folder = path.replace(/^\.\/?/, "");
    return { folder, manifest: readJson(`${folder && `${folder}/`}deno.json`) };
  });
}

/** Manifest of a package. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: string | Readonly<Record<string, string>>;
}
