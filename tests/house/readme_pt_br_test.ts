/** Documentation of `cep` in Portuguese, compared with that in English. */
import { assert, assertEquals } from "@std/assert";
import { posix } from "node:path";
import { CEP_DOCUMENTS, listNames, readText } from "./_repository.ts";

/** Document without its translated words. */
interface Outline {
  /** Code blocks without their comments, which are translated. */
  readonly blocks: readonly string[];
  readonly sections: readonly Section[];
}

/** Heading and its text. */
interface Section {
  readonly heading: string;
  /** Number of `#` of the heading. */
  readonly level: number;
  /** Facts of the text without tables, followed by those of each table row. */
  readonly facts: readonly Facts[];
}

/** Parts of a text that are not translated, sorted. */
interface Facts {
  /** Inline code. */
  readonly code: readonly string[];
  readonly numbers: readonly string[];
  readonly links: readonly string[];
}

const BLOCK = /^```[^]*?^```$/gm;
const COMMENT = /\s*(?:#|\/\/) .*$/gm;
const ROW = /^\|.*\|$/gm;
const CODE = /`([^`]+)`/g;
const LINK = /\]\(([^)]+)\)/g;

/** Target of a link, the same in both languages. */
function targetOf(link: string, path: string): string {
  const target = /^(?:https?:|#)/.test(link)
    ? link
    : posix.join(posix.dirname(path), link);
  return target.replace(/#.*/, "#").replace(/\bpt-BR\//, "")
    .replace("README.pt-BR.md", "README.md");
}

function outlineOf(path: string): Outline {
  const document = readText(path);
  const words = document.replace(BLOCK, "");
  return {
    blocks: (document.match(BLOCK) ?? []).map((it) => it.replace(COMMENT, "")),
    sections: words.split(/^(?=#+ )/m).map((section) => {
      const [, marks = "", heading = ""] = /^(#+) (.*)/.exec(section) ?? [];
      const parts = [section.replace(ROW, ""), ...section.match(ROW) ?? []];
      const facts = parts.map((part) => factsOf(part, path));
      return { heading, level: marks.length, facts };
    }),
  };
}

function factsOf(text: string, path: string): Facts {
  const find = (pattern: RegExp, text: string): string[] =>
    [...text.matchAll(pattern)].map(([all, part]) => part ?? all).sort();
  const words = text.replace(CODE, "").replace(LINK, "");
  return {
    code: find(CODE, text),
    numbers: find(/\d+/g, words),
    links: find(LINK, text).map((link) => targetOf(link, path)).sort(),
  };
}

const DOCUMENTS = CEP_DOCUMENTS.en.map((path, i) => {
  const translation = CEP_DOCUMENTS.pt[i]!;
  return {
    path,
    translation,
    english: outlineOf(path),
    portuguese: outlineOf(translation),
  };
});

Deno.test("outlineOf finds blocks, sections and facts in the README of cep", () => {
  const { blocks, sections } = DOCUMENTS[0]!.english;
  const facts = sections.flatMap((section) => section.facts);
  const codes = facts.flatMap(({ code }) => code);
  for (const { length } of [blocks, sections, facts, codes]) {
    assert(length >= 3);
  }
});

Deno.test("every chapter of cep is in both languages, and in a README's table", () => {
  const chapters = listNames("docs/cep/pt-BR");
  assertEquals(
    chapters,
    CEP_DOCUMENTS.en.slice(1).map((path) => posix.basename(path)),
  );
  for (const readme of [CEP_DOCUMENTS.en[0]!, CEP_DOCUMENTS.pt[0]!]) {
    const links = [...readText(readme).matchAll(/^\| \[.*\/([\w-]+\.md)\)/gm)]
      .map(([, name]) => name!);
    assertEquals(links.sort(), chapters);
  }
});

for (const { path, translation, english, portuguese } of DOCUMENTS) {
  Deno.test(`${translation} has the code blocks of the English document`, () => {
    assertEquals(portuguese.blocks, english.blocks);
  });

  Deno.test(`${translation} has the sections of the English document`, () => {
    const levels = ({ sections }: Outline) =>
      sections.map(({ level }) => level);
    assertEquals(levels(portuguese), levels(english));
  });

  for (const [i, { heading, facts }] of english.sections.entries()) {
    Deno.test(`${translation} has the facts of "${heading}"`, () => {
      assertEquals(portuguese.sections[i]?.facts, facts);
    });
  }

  Deno.test(`${path} and ${translation} link to each other first`, () => {
    const linked = (from: string, to: string) => {
      const [, link] = /\]\(([^)]+)\)/.exec(readText(from)) ?? [];
      assertEquals(posix.join(posix.dirname(from), link ?? ""), to);
    };
    linked(path, translation);
    linked(translation, path);
  });
}
