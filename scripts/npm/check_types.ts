/** The packages' declarations, under the compilers and settings of users. */
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../command.ts";
import type { Installation } from "./install.ts";
import { settle } from "./settle.ts";

/** What the checks need to be installed beside the packages. */
export const TYPE_TOOLS = [
  "typescript@^7.0.2",
  // The oldest that lets CommonJS `require` ES modules.
  "typescript-oldest@npm:typescript@~5.8.3",
  "@types/node@^22.20.1",
];

/** The program as it is compiled: once for each kind of module. */
export const COMPILED = ["compiled/program.mjs", "compiled/program.cjs"];

const PROGRAM = fileURLToPath(new URL("consumer/program.ts", import.meta.url));

/** A compiler and its settings, beside those that are always the same. */
interface Project {
  readonly compiler: string;
  readonly files: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

const NODE = { lib: ["es2023"], types: ["node"] };
const PROJECTS: Readonly<Record<string, Project>> = {
  nodenext: {
    compiler: "typescript",
    files: ["program.mts", "program.cts", "all.mts", "all.cts"],
    options: { ...NODE, module: "nodenext", outDir: "compiled" },
  },
  oldest: {
    compiler: "typescript-oldest",
    files: ["program.mts", "program.cts", "all.mts", "all.cts"],
    options: { ...NODE, module: "nodenext", noEmit: true },
  },
  bundler: {
    compiler: "typescript",
    files: ["program.mts", "all.mts"],
    options: {
      ...NODE,
      module: "esnext",
      moduleResolution: "bundler",
      noEmit: true,
    },
  },
  // What runs in browsers must not ask for the types of Node.
  browser: {
    compiler: "typescript",
    files: ["browser.mts"],
    options: {
      lib: ["es2023", "dom", "dom.iterable"],
      types: [],
      module: "esnext",
      moduleResolution: "bundler",
      noEmit: true,
    },
  },
};

/**
 * Compiles a program that uses every package, and all that can be imported.
 *
 * @throws {Error} With what the compilers say, if they say anything.
 */
export async function checkTypes(
  { folder, packages }: Installation,
): Promise<void> {
  const all = packages.flatMap(({ specifiers }) => specifiers);
  const inBrowsers = all.filter((it) => it.startsWith("@carteiro/oauth2"));
  await Promise.all([
    copyFile(PROGRAM, join(folder, "program.mts")),
    copyFile(PROGRAM, join(folder, "program.cts")),
    writeFile(join(folder, "all.mts"), reexport(all)),
    writeFile(join(folder, "all.cts"), reexport(all)),
    writeFile(join(folder, "browser.mts"), reexport(inBrowsers)),
  ]);
  await settle(
    Object.entries(PROJECTS).map(([name, project]) =>
      compile(name, { folder, project })
    ),
  );
}

function reexport(specifiers: readonly string[]): string {
  return specifiers.map((it, i) => `export * as _${i} from "${it}";\n`).join(
    "",
  );
}

async function compile(
  name: string,
  { folder, project }: { folder: string; project: Project },
): Promise<void> {
  const { compiler, files, options } = project;
  const config = {
    compilerOptions: {
      target: "es2023",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      ...options,
    },
    files,
  };
  const path = join(folder, `tsconfig.${name}.json`);
  await writeFile(path, JSON.stringify(config));
  const tsc = join(folder, "node_modules", compiler, "bin", "tsc");
  await run("node", [tsc, "--project", path], { cwd: folder });
}
