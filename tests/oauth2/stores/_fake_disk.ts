/** File system in memory, whose every step another process may overtake. */
import type { FileSystem, OpenFile } from "../../../oauth2/stores/versions.ts";

interface File {
  text: string;
  mtimeMs: number;
}

/** Disk that processes share. */
export class FakeDisk {
  readonly #files = new Map<string, File>();
  readonly #folders = new Set<string>();
  readonly #random: () => number;
  readonly #clock: () => number;

  constructor(random: () => number, clock: () => number) {
    this.#random = random;
    this.#clock = clock;
  }

  /** Returns the disk for a process: `step` resolves when it may go on. */
  open(step: () => Promise<void>): FileSystem {
    const files = this.#files;
    const clock = this.#clock;
    const find = (path: string) => files.get(path) ?? fail("ENOENT");
    return {
      link: async (from, to) => {
        await step();
        const file = find(from);
        if (files.has(to)) fail("EEXIST");
        files.set(to, file);
      },
      mkdir: async (path) => {
        await step();
        this.#folders.add(path);
      },
      open: async (path, flags): Promise<OpenFile> => {
        await step();
        const file = { text: "", mtimeMs: clock() };
        if (flags === "wx") files.set(path, file);
        const writeFile = async (text: string) => {
          await step();
          Object.assign(file, { text, mtimeMs: clock() });
        };
        return { writeFile, sync: step, close: step };
      },
      // As POSIX allows: names that change meanwhile are listed or not.
      readdir: async (path) => {
        await step();
        const before = this.#namesIn(path);
        await step();
        const after = this.#namesIn(path);
        return [...new Set([...before, ...after])].filter((name) =>
          (before.includes(name) && after.includes(name)) ||
          this.#random() < 0.5
        );
      },
      readFile: async (path) => {
        await step();
        return find(path).text;
      },
      rm: async (path) => {
        await step();
        files.delete(path);
      },
      stat: async (path) => {
        await step();
        return find(path);
      },
    };
  }

  /** Paths of all files. */
  get paths(): string[] {
    return [...this.#files.keys()];
  }

  #namesIn(folder: string): string[] {
    if (!this.#folders.has(folder)) fail("ENOENT");
    return this.paths.flatMap((path) =>
      path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : []
    );
  }
}

function fail(code: string): never {
  throw Object.assign(new Error(code), { code });
}
