/** Embedded files of an executable, read from the output of `deno compile`. */

/** Lines of the tree: `│ ├─┬ dne (78.33KB)`. */
const LINE = /^((?:[│ ] )*)[├└]─[┬─] (.+?)(?: \(([\d.]+\wB|\d+B).*\))?$/gmu;

const NPM = ".deno_compile_node_modules/localhost/";

/** Embedded files. */
export interface EmbeddedFiles {
  /** Files of the repository; a whole folder is `cep/http/*`. */
  readonly sources: readonly string[];
  /** Names of npm packages. */
  readonly packages: readonly string[];
  /** Total size in MiB, which Deno calls MB. */
  readonly megabytes: number;
}

/** Reads the output of `deno compile`. */
export function readEmbeddedFiles(output: string): EmbeddedFiles {
  const paths: string[] = [];
  const folders: string[] = [];
  for (const [line, indent = "", name = "", size] of output.matchAll(LINE)) {
    folders.length = indent.length / 2;
    folders.push(name);
    // The folder of the configuration file is empty.
    const isFile = !line.includes("─┬") && size !== "0B";
    if (isFile) paths.push(folders.join("/"));
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
    megabytes: Number(/^Files: ([\d.]+)MB$/m.exec(output)?.[1]),
  };
}
