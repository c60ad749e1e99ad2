/** What an executable embeds, read from what `deno compile` tells of it. */

/** The lines of the tree: `│ ├─┬ dne (78.33KB)`. */
const LINE = /^((?:[│ ] )*)[├└]─[┬─] (.+?)(?: \(([\d.]+\wB|\d+B).*\))?$/gmu;

const NPM = ".deno_compile_node_modules/localhost/";

/** What is embedded. */
export interface EmbeddedFiles {
  /** Files of the repository; a whole folder is `cep/http/*`. */
  readonly sources: readonly string[];
  /** Names of npm packages. */
  readonly packages: readonly string[];
  /** Size of everything, in MiB, which Deno writes as MB. */
  readonly megabytes: number;
}

/** Reads what Deno told. */
export function readEmbeddedFiles(told: string): EmbeddedFiles {
  const paths: string[] = [];
  const folders: string[] = [];
  for (const [line, indent = "", name = "", size] of told.matchAll(LINE)) {
    folders.length = indent.length / 2;
    folders.push(name);
    // The folder of the manifest is named, too, though nothing of it is there.
    const holds = !line.includes("─┬") && size !== "0B";
    if (holds) paths.push(folders.join("/"));
  }
  const packages = paths
    .filter((path) => path.startsWith(NPM))
    .map((path) => {
      const [first, second] = path.slice(NPM.length).split("/");
      return first?.startsWith("@") ? `${first}/${second}` : `${first}`;
    });
  return {
    sources: paths.filter((path) => !path.startsWith(NPM)),
    packages: [...new Set(packages)],
    megabytes: Number(/^Files: ([\d.]+)MB$/m.exec(told)?.[1]),
  };
}
