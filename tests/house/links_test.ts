/** Links in the documents of the repository to its own files. */
import { assert, assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { ROOT } from "../../scripts/root.ts";
import { CEP_DOCUMENTS, listNames, readText } from "./_repository.ts";

const DOCUMENTS = [
  ...[".", "deploy", "docs", "docs/oauth2", "oauth2", "samples", "cep"].flatMap(
    (folder) =>
      listNames(folder).filter((name) => name.endsWith(".md"))
        .map((name) => posix.join(folder, name)),
  ),
  ...CEP_DOCUMENTS.en.slice(1),
  ...CEP_DOCUMENTS.pt.slice(1),
];

/** Address of the repository's files, for documents that packages include. */
const REPOSITORY =
  /^https:\/\/(?:github\.com\/carteiro\/carteiro\/(?:blob|tree)|raw\.githubusercontent\.com\/carteiro\/carteiro)\/main\//;

const FENCED = /^```[^]*?^```$/gm;

/** Anchors of the headings, as on GitHub. */
function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.replace(FENCED, "").matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading]) =>
      heading!.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-")
    ),
  );
}

/** Links of a document to files of the repository. */
function linksIn(path: string): { file: string; anchor: string }[] {
  const text = readText(path).replace(FENCED, "").replace(/`[^`\n]+`/g, "");
  // Also of references: `[name]: link`.
  const found = text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm);
  return [...found].flatMap(([, inline, reference]) => {
    const link = inline ?? reference;
    const [target = "", anchor = ""] = link!.split("#");
    if (REPOSITORY.test(target)) {
      return [{ file: target.replace(REPOSITORY, ""), anchor }];
    }
    if (/^[a-z]+:/.test(target)) return [];
    const file = target === ""
      ? path
      : posix.join(posix.dirname(path), decodeURI(target));
    return [{ file, anchor }];
  });
}

Deno.test("the documents have links to files and headings", () => {
  const links = DOCUMENTS.flatMap(linksIn);
  assert(links.length > 50);
  assert(links.some(({ anchor }) => anchor !== ""));
});

for (const path of DOCUMENTS) {
  Deno.test(`the links in ${path} lead to files and headings of the repository`, () => {
    const broken = linksIn(path).filter(({ file, anchor }) =>
      !existsSync(ROOT + file) ||
      anchor !== "" && !anchorsOf(readText(file)).has(decodeURI(anchor))
    );
    assertEquals(broken, []);
  });
}

Deno.test("documents in packages link to files outside by their address", () => {
  const packaged = CEP_DOCUMENTS.en.slice(0, 1).concat(CEP_DOCUMENTS.pt[0]!);
  for (const path of [...packaged, "cep/NOTICE.md", "oauth2/README.md"]) {
    const outside = [...readText(path).matchAll(/\]\((\.\.[^)]*)\)/g)];
    assertEquals(outside.map(([, link]) => link), [], path);
  }
});
