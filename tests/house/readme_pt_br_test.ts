/**
 * The README of `cep` in Portuguese, held against the one in English: what is
 * the same in every language must be the same in both.
 */
import { assert, assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";

/** A document from one heading to the next, without its words. */
interface Section {
  readonly heading: string;
  /** How many `#` it has. */
  readonly level: number;
  /** The blocks of code without their comments, which are words too. */
  readonly blocks: readonly string[];
  /** Of each row of the tables. */
  readonly rows: readonly Facts[];
  /** Of everything else. */
  readonly prose: Facts;
}

/** Sorted, because each language has its own order of words. */
interface Facts {
  /** Names and values. */
  readonly code: readonly string[];
  readonly numbers: readonly string[];
  readonly links: readonly string[];
}

const BLOCK = /^```[^]*?^```$/gm;
const HIDDEN = /^<!--[^]*?-->$/gm;
const COMMENT = /\s*(?:#|\/\/) .*$/gm;
const ROW = /^\|.*\|$/gm;
const CODE = /`([^`]+)`/g;
const LINK = /\]\(([^)]+)\)/g;

/** By which each leads to the other. */
const OTHER_LANGUAGE = ["./README.md", "./README.pt-BR.md"];

function read(name: string): string {
  return readFileSync(new URL(`../../cep/${name}`, import.meta.url), "utf8");
}

function readSections(name: string): Section[] {
  return splitAtHeadings(read(name)).map((text) => {
    const [, marks = "", heading = ""] = /^(#+) (.*)/.exec(text) ?? [];
    const words = text.replace(BLOCK, "").replace(HIDDEN, "");
    return {
      heading,
      level: marks.length,
      blocks: (text.match(BLOCK) ?? []).map((it) => it.replace(COMMENT, "")),
      rows: (words.match(ROW) ?? []).map(factsOf),
      prose: factsOf(words.replace(ROW, "")),
    };
  });
}

/** A `#` inside a block is a comment of the shell. */
function splitAtHeadings(document: string): string[] {
  const sections: string[] = [];
  let isInBlock = false;
  for (const line of document.split("\n")) {
    if (line.startsWith("```")) isInBlock = !isInBlock;
    if (!isInBlock && /^#+ /.test(line)) sections.push("");
    sections.push(`${sections.pop() ?? ""}${line}\n`);
  }
  return sections;
}

function factsOf(text: string): Facts {
  const find = (pattern: RegExp, text: string): string[] =>
    [...text.matchAll(pattern)].map(([all, part]) => part ?? all).sort();
  const words = text.replace(CODE, "").replace(LINK, "");
  return {
    code: find(CODE, text),
    numbers: find(/\d+/g, words),
    links: find(LINK, text).filter((link) => !OTHER_LANGUAGE.includes(link)),
  };
}

const english = readSections("README.md");
const portuguese = readSections("README.pt-BR.md");

Deno.test("the README of cep is found to hold what is compared", () => {
  const blocks = english.flatMap((section) => section.blocks);
  const rows = english.flatMap((section) => section.rows);
  const codes = english.flatMap((section) => section.prose.code);
  assertEquals(
    [blocks, rows, codes].map(({ length }) => length >= 3),
    [true, true, true],
  );
});

Deno.test("the README of cep in Portuguese has the sections of the English one", () => {
  assertEquals(
    portuguese.map(({ level }) => level),
    english.map(({ level }) => level),
  );
});

for (const [i, section] of english.entries()) {
  Deno.test(`the README of cep in Portuguese tells all of "${section.heading}"`, () => {
    const { heading: _, ...found } = portuguese[i]!;
    const { heading: __, ...expected } = section;
    assertEquals(found, expected);
  });
}

for (
  const [from, to] of [
    ["README.md", "./README.pt-BR.md"],
    ["README.pt-BR.md", "./README.md"],
  ] as const
) {
  Deno.test(`${from} of cep leads to the other language`, () => {
    assert(read(from).includes(`](${to})`));
  });
}
