/** README of `cep` in Portuguese, compared with the English one. */
import { assert, assertEquals } from "@std/assert";
import { CEP_READMES, readText } from "./_repository.ts";

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

/** Links from each README to the other. */
const OTHER_LANGUAGE = { en: "./README.pt-BR.md", pt: "./README.md" };

function outlineOf(document: string): Outline {
  const words = document.replace(BLOCK, "");
  return {
    blocks: (document.match(BLOCK) ?? []).map((it) => it.replace(COMMENT, "")),
    sections: words.split(/^(?=#+ )/m).map((section) => {
      const [, marks = "", heading = ""] = /^(#+) (.*)/.exec(section) ?? [];
      const parts = [section.replace(ROW, ""), ...section.match(ROW) ?? []];
      return { heading, level: marks.length, facts: parts.map(factsOf) };
    }),
  };
}

function factsOf(text: string): Facts {
  const find = (pattern: RegExp, text: string): string[] =>
    [...text.matchAll(pattern)].map(([all, part]) => part ?? all).sort();
  const words = text.replace(CODE, "").replace(LINK, "");
  const others = Object.values(OTHER_LANGUAGE);
  return {
    code: find(CODE, text),
    numbers: find(/\d+/g, words),
    links: find(LINK, text).filter((link) => !others.includes(link)),
  };
}

const english = outlineOf(readText(CEP_READMES.en));
const portuguese = outlineOf(readText(CEP_READMES.pt));

Deno.test("outlineOf finds blocks, sections and facts in the README of cep", () => {
  const facts = english.sections.flatMap((section) => section.facts);
  const codes = facts.flatMap(({ code }) => code);
  for (const { length } of [english.blocks, english.sections, facts, codes]) {
    assert(length >= 3);
  }
});

Deno.test("the README of cep in Portuguese has the code blocks of the English one", () => {
  assertEquals(portuguese.blocks, english.blocks);
});

Deno.test("the README of cep in Portuguese has the sections of the English one", () => {
  const levels = ({ sections }: Outline) => sections.map(({ level }) => level);
  assertEquals(levels(portuguese), levels(english));
});

for (const [i, { heading, facts }] of english.sections.entries()) {
  Deno.test(`the README of cep in Portuguese has the facts of "${heading}"`, () => {
    assertEquals(portuguese.sections[i]?.facts, facts);
  });
}

for (const language of ["en", "pt"] as const) {
  Deno.test(`the README of cep (${language}) links to the other language`, () => {
    const readme = readText(CEP_READMES[language]);
    assert(readme.includes(`](${OTHER_LANGUAGE[language]})`));
  });
}
