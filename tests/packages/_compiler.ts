import ts from "typescript";

/** Resolution of imports as in Node, or in a bundler. */
export const RESOLUTIONS = ["nodenext", "bundler"] as const;

/** Compiler of programs that use a package as it is on npm. */
export class Compiler {
  #files = new Map<string, string>();
  #service: ts.LanguageService;
  #version = 0;

  /** Creates a compiler for a package, given as its files. */
  constructor(
    name: string,
    files: ReadonlyMap<string, Uint8Array>,
    resolution: typeof RESOLUTIONS[number],
  ) {
    for (const [path, bytes] of files) {
      const text = new TextDecoder().decode(bytes);
      this.#files.set(`/app/node_modules/${name}/${path}`, text);
    }
    const isNode = resolution === "nodenext";
    const settings: ts.CompilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      types: [],
      target: ts.ScriptTarget.ES2023,
      lib: [
        "lib.es2023.d.ts",
        "lib.dom.d.ts",
        "lib.dom.iterable.d.ts",
        "lib.dom.asynciterable.d.ts",
      ],
      module: isNode ? ts.ModuleKind.NodeNext : ts.ModuleKind.ESNext,
      moduleResolution: isNode
        ? ts.ModuleResolutionKind.NodeNext
        : ts.ModuleResolutionKind.Bundler,
    };
    const read = (path: string) =>
      this.#files.get(path) ??
        (path.startsWith("/app/") ? undefined : ts.sys.readFile(path));
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => settings,
      getScriptFileNames: () => ["/app/main.mts"],
      getScriptVersion: (path) =>
        path === "/app/main.mts" ? `${this.#version}` : "",
      getScriptSnapshot: (path) => {
        const text = read(path);
        return text === undefined
          ? undefined
          : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => "/app",
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (path) => read(path) !== undefined,
      readFile: read,
    });
  }

  /** Returns the errors in a program and in the package. */
  errors(program: string): string[] {
    this.#write(program);
    const all = this.#service.getProgram()!;
    const own = all.getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith("/app/"));
    return own.flatMap((file) => ts.getPreEmitDiagnostics(all, file))
      .map(({ messageText }) =>
        ts.flattenDiagnosticMessageText(messageText, "\n")
      );
  }

  /** Returns the names that an editor proposes at `|` in a program. */
  completions(program: string): string[] {
    const position = this.#write(program);
    const { entries = [] } = this.#service.getCompletionsAtPosition(
      "/app/main.mts",
      position,
      {},
    ) ?? {};
    return entries.map(({ name }) => name).sort();
  }

  /** Returns the documentation that an editor shows at `|` in a program. */
  documentation(program: string): string {
    const position = this.#write(program);
    const found = this.#service.getQuickInfoAtPosition(
      "/app/main.mts",
      position,
    );
    return ts.displayPartsToString(found?.documentation);
  }

  /** Replaces the program, and returns the position of its `|`. */
  #write(program: string): number {
    const position = program.indexOf("|");
    this.#version++;
    this.#files.set("/app/main.mts", program.replace("|", ""));
    return position;
  }
}
