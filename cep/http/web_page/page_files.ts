/**
 * Files of the page: named by their content, and compressed.
 */
import { gzipSync } from "node:zlib";
import { digest } from "../entity_tag.ts";
// Written by `deno task page`. Reading files at run time would need permissions
// on Deno, a request for those on JSR, and fail in a bundle.
import sources from "../../page.json" with { type: "json" };
import { startModule } from "./texts.ts";

/** File that the page loads. */
export interface PageFile {
  /** Name with a hash of the content: `style.0a1b2c3d.css`. */
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly content: Uint8Array;
  readonly gzipped: Uint8Array;
}

/** Files of the page. */
export interface PageFiles {
  /** Template of the document. */
  readonly document: string;
  /** Outlines of the states: `path` elements of SVG. */
  readonly states: string;
  /** Files that the page loads, by their names without hash. */
  readonly loaded: ReadonlyMap<string, PageFile>;
  /** Names of the modules without which the page cannot start. */
  readonly preloaded: readonly string[];
}

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** Modules that load with the first table. */
const TABLE_MODULES: readonly string[] = [
  "zip.js",
  "xlsx.js",
  "csv.js",
  "columns.js",
  "answers.js",
  "ask_rows.js",
  "doubtful.js",
  "cleaning.js",
];

/** Loaded files; a module comes after those that it imports. */
const LOADED: readonly string[] = [
  "style.css",
  "docs.css",
  "icon.svg",
  "dom.js",
  "api.js",
  ...TABLE_MODULES,
  "exact.js",
  "combobox.js",
  "record.js",
  "town.js",
  "around.js",
  "recent.js",
  "drop.js",
  "examples.js",
  "app.js",
];

/** Languages of the page, each with a module that starts it. */
const LANGUAGES = ["pt", "en"] as const;

/** Texts of files by their names. */
export type Sources = Readonly<Record<string, string>>;

/**
 * Prepares the files of the page.
 *
 * @param texts Texts of the files, by default those of the folder `page`.
 */
export function makePageFiles(texts: Sources = sources): PageFiles {
  const loaded = new Map<string, PageFile>();
  for (const name of LOADED) {
    loaded.set(name, toFile(name, linkImports(texts[name] ?? "", loaded)));
  }
  for (const language of LANGUAGES) {
    const name = `${language}.js`;
    const text = linkImports(startModule(language), loaded);
    loaded.set(name, toFile(name, text));
  }
  return {
    document: texts["page.html"] ?? "",
    states: texts["states.svg"]?.match(/<path[^>]*>/g)?.join("") ?? "",
    loaded,
    preloaded: LOADED.filter((name) =>
      name.endsWith(".js") && !TABLE_MODULES.includes(name)
    ),
  };
}

/** Returns a function that prepares the files when it is first called. */
export function lazyPageFiles(): () => PageFiles {
  let made: PageFiles | undefined;
  return () => made ??= makePageFiles();
}

/** Names imported modules by their content, too. */
function linkImports(
  text: string,
  loaded: ReadonlyMap<string, PageFile>,
): string {
  const imports = /((?:from ?|import\()"\.\/)([\w.]+)(")/g;
  return text.replaceAll(imports, (_, start, name, end) => {
    const file = loaded.get(name);
    if (file !== undefined) return start + file.name + end;
    throw new TypeError(`Cannot import "${name}": it must come before`);
  });
}

function toFile(name: string, text: string): PageFile {
  const content = new TextEncoder().encode(text);
  const dot = name.lastIndexOf(".");
  return {
    name: `${name.slice(0, dot)}.${contentHash(text)}${name.slice(dot)}`,
    type: TYPES[name.slice(dot + 1)]!,
    content,
    gzipped: compress(content),
  };
}

/** Returns a short hash of a content, which tells its versions apart. */
export function contentHash(content: string): string {
  return digest(content).toString(16).padStart(8, "0");
}

/** Compresses a content that is sent many times. */
export function compress(content: string | Uint8Array): Uint8Array {
  return gzipSync(content, { level: 9 });
}
