import { assertEquals, assertRejects } from "@std/assert";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import {
  type Files,
  FolderSource,
  type OpenFile,
} from "../../../../cep/store/follow/folder_source.ts";
import { parseManifestAddress } from "../../../../cep/store/follow/release_url.ts";
import { SourceError } from "../../../../cep/store/follow/source.ts";
import { settle } from "../../_manual_timer.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";

/** Folder and its source. */
class Scene extends TemporaryFolder {
  readonly source = new FolderSource(parseManifestAddress(this.path)!);
  readonly signal = new AbortController().signal;

  write(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name);
    writeFileSync(path, content);
    return path;
  }

  /** Reads a file from a position. */
  async read(name: string, start: number) {
    const { signal } = this;
    const options = { start, etag: undefined, signal };
    const { chunks, ...part } = await this.source.open(name, options);
    const bytes = await Array.fromAsync(chunks);
    return { start: part.start, size: part.size, text: toText(bytes) };
  }
}

function toText(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk)).join("");
}

Deno.test("FolderSource.readManifest returns the text of the manifest", async () => {
  using scene = new Scene();
  scene.write("manifest.json", "{}");
  assertEquals(
    await scene.source.readManifest(undefined, scene.signal),
    { text: "{}", etag: undefined },
  );
});

for (
  const [start, expected] of [
    [0, { start: 0, size: 6, text: "abcdef" }],
    [4, { start: 4, size: 6, text: "ef" }],
    [6, { start: 6, size: 6, text: "" }],
    [7, { start: 0, size: 6, text: "abcdef" }],
  ] as const
) {
  Deno.test(`FolderSource.open reads a file of 6 bytes from byte ${start}`, async () => {
    using scene = new Scene();
    scene.write("a", "abcdef");
    assertEquals(await scene.read("a", start), expected);
  });
}

Deno.test("FolderSource.open reads a large file in order", async () => {
  using scene = new Scene();
  const text = Array.from({ length: 200_000 }, (_, i) => i).join();
  scene.write("a", text);
  assertEquals((await scene.read("a", 0)).text, text);
});

Deno.test("FolderSource.open closes a file that is not read", async () => {
  using scene = new Scene();
  scene.write("a", "abcdef");
  const { signal } = scene;
  const options = { start: 0, etag: undefined, signal };
  const { cancel } = await scene.source.open("a", options);
  await cancel();
});

Deno.test("FolderSource.open ends with a file that is cut off meanwhile", async () => {
  using scene = new Scene();
  const path = scene.write("a", new Uint8Array(1_000_000));
  const { signal } = scene;
  const options = { start: 0, etag: undefined, signal };
  const { chunks } = await scene.source.open("a", options);
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    truncateSync(path, 10);
  }
  assertEquals(bytes < 1_000_000, true);
});

Deno.test("FolderSource throws a SourceError for a missing file and for a folder", async () => {
  using scene = new Scene();
  mkdirSync(join(scene.path, "manifest.json"));
  const { signal, source } = scene;
  await assertRejects(
    () => source.readManifest(undefined, signal),
    SourceError,
    "it is not a file",
  );
  await assertRejects(
    () => source.open("none", { start: 0, etag: undefined, signal }),
    SourceError,
    "none",
  );
});

Deno.test("FolderSource throws the reason of its signal", async () => {
  using scene = new Scene();
  scene.write("manifest.json", "{}");
  const signal = AbortSignal.abort(new Error("stopped"));
  await assertRejects(
    () => scene.source.readManifest(undefined, signal),
    Error,
    "stopped",
  );
});

/** File system in which one operation hangs until the test lets it end. */
class HangingFiles implements Files {
  readonly calls: string[] = [];
  readonly #hangs = Promise.withResolvers<void>();
  readonly #operation: string;
  readonly #reached = Promise.withResolvers<void>();

  constructor(operation: string) {
    this.#operation = operation;
  }

  /** Resolves when the operation has been called. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  end(): void {
    this.#hangs.resolve();
  }

  stat = async () => {
    await this.#call("stat");
    return { isFile: () => true };
  };

  open = async (path: string): Promise<OpenFile> => {
    await this.#call("open");
    const file = await open(path);
    return {
      stat: () => file.stat(),
      read: async (...options) => {
        await this.#call("read");
        return await file.read(...options);
      },
      close: async () => {
        await this.#call("close");
        await file.close();
      },
    };
  };

  async #call(name: string): Promise<void> {
    this.calls.push(name);
    if (name !== this.#operation) return;
    this.#reached.resolve();
    await this.#hangs.promise;
  }
}

for (
  const [operation, before, after] of [
    ["stat", ["stat"], []],
    ["open", ["stat", "open"], ["close"]],
    ["read", ["stat", "open", "read"], ["close"]],
  ] as const
) {
  Deno.test(`FolderSource starts nothing while ${operation} hangs, and closes the file afterwards`, async () => {
    using scene = new Scene();
    scene.write("manifest.json", "{}");
    const files = new HangingFiles(operation);
    const source = new FolderSource(parseManifestAddress(scene.path)!, files);
    const abort = new AbortController();
    const first = source.readManifest(undefined, abort.signal);
    await files.reached;
    abort.abort(new SourceError("it made no progress"));
    await assertRejects(() => first, SourceError, "no progress");
    for (let i = 0; i < 3; i++) {
      await assertRejects(
        () => source.readManifest(undefined, scene.signal),
        SourceError,
        "has not completed an earlier operation",
      );
    }
    assertEquals(files.calls, before);
    files.end();
    await settle();
    while (files.calls.length < before.length + after.length) await settle();
    assertEquals(files.calls, [...before, ...after]);
    await until(async () => {
      const { text } = await source.readManifest(undefined, scene.signal);
      return text === "{}";
    });
  });
}

/** Repeats an action while it throws. */
async function until(action: () => Promise<boolean>): Promise<void> {
  while (!await action().catch(() => false)) await settle();
}
