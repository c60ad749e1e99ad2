/**
 * The README of `cep` in Portuguese, held against the one in English: what is
 * the same in every language must be the same in both.
 */
import { assert, assertEquals } from "@std/assert";
import { READMES } from "../../scripts/readme_tables.ts";

/** A document without its words. */
interface Outline {
  /** The blocks of code without their comments, which are words too. */
  readonly blocks: readonly string[];
  readonly sections: readonly Section[];
}

/** What is under one heading. */
interface Section {
  readonly heading: string;
  /** How many `#` it has. */
  readonly level: number;
  /** Of everything but the tables, then of each of their rows. */
  readonly facts: readonly Facts[];
}

/** Sorted, because each language has its own order of words. */
interface Facts {
  /** Names and values. */
  readonly code: readonly string[];
  readonly numbers: readonly string[];
  readonly links: readonly string[];
}

const BLOCK = /^```[^]*?^```$/gm;
const COMMENT = /\s*(?:#|\/\/) .*$/gm;
const ROW = /^\|.*\|$/gm;
const CODE = /`([^`]+)`/g;
const LINK = /\]\(([^)]+)\)/g;

/** By which each leads to the other. */
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

const english = outlineOf(Deno.readTextFileSync(READMES.en));
const portuguese = outlineOf(Deno.readTextFileSync(READMES.pt));

Deno.test("the README of cep is found to hold what is compared", () => {
  const facts = english.sections.flatMap((section) => section.facts);
  const codes = facts.flatMap(({ code }) => code);
  for (const { length } of [english.blocks, english.sections, facts, codes]) {
    assert(length >= 3);
  }
});

Deno.test("the README of cep in Portuguese has the code of the English one", () => {
  assertEquals(portuguese.blocks, english.blocks);
});

Deno.test("the README of cep in Portuguese has the sections of the English one", () => {
  const levels = ({ sections }: Outline) => sections.map(({ level }) => level);
  assertEquals(levels(portuguese), levels(english));
});

for (const [i, { heading, facts }] of english.sections.entries()) {
  Deno.test(`the README of cep in Portuguese tells all of "${heading}"`, () => {
    assertEquals(portuguese.sections[i]?.facts, facts);
  });
}

for (const language of ["en", "pt"] as const) {
  Deno.test(`the README of cep (${language}) leads to the other language`, () => {
    const readme = Deno.readTextFileSync(READMES[language]);
    assert(readme.includes(`](${OTHER_LANGUAGE[language]})`));
  });
}
