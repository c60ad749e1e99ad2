import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CensusError } from "../../../../cep/import/errors.ts";
import {
  type FileReader,
  startFileWorker,
} from "../../../../cep/import/cnefe/read_files.ts";
import type { CensusProgress } from "../../../../cep/import/cnefe/read_census.ts";
import { CapturingLogger } from "../../_logger.ts";
import { csv, readFolder, withFiles } from "./_census.ts";
import { findFiles } from "../../../../cep/import/cnefe/find_files.ts";
import { readFile } from "../../../../cep/import/cnefe/read_file.ts";

const FILES = {
  "1.csv": csv([{}, {}]),
  "2.csv": csv([{ CEP: "12990020", COD_MUNICIPIO: "3599917" }]),
  "3.csv": csv([{ CEP: "12990030", COD_MUNICIPIO: "3599925" }]),
};

Deno.test("readCensus reads the same in several threads", async () => {
  await withFiles(FILES, async (folder) => {
    const alone = await readFolder(folder);
    const data = await readFolder(folder, { threads: 2 });
    assertEquals([...data.rows()], [...alone.rows()]);
    assertEquals([alone.report.threads, data.report.threads], [1, 2]);
  });
});

for (
  const [threads, files, leastBytes, started] of [
    [1, 3, 0, 0],
    [8, 1, 0, 1],
    [8, 3, 0, 3],
    [2, 3, 0, 2],
    [2, 3, 1e6, 0],
    [2, 3, undefined, 0],
  ] as const
) {
  Deno.test(`readCensus starts ${started} of ${threads} threads for ${files} files of ${leastBytes} bytes`, async () => {
    const some = Object.fromEntries(Object.entries(FILES).slice(0, files));
    await withFiles(some, async (folder) => {
      let count = 0;
      await readFolder(folder, {
        threads,
        leastBytes,
        startReader: () => {
          count++;
          return Promise.reject(new Error("no threads"));
        },
      });
      assertEquals(count, started);
    });
  });
}

Deno.test("readCensus reads in one thread if no other can be started", async () => {
  await withFiles(FILES, async (folder) => {
    const logger = new CapturingLogger();
    const { report } = await readFolder(folder, {
      threads: 2,
      startReader: () => Promise.reject(new Error("no threads")),
      logger,
    });
    assertEquals([report.threads, report.files.length], [1, 3]);
    const reason = { reason: "no threads" };
    assertEquals(logger.at("warn"), [reason, reason]);
  });
});

Deno.test("readCensus uses the threads that can be started", async () => {
  await withFiles(FILES, async (folder) => {
    let started = 0;
    const { report } = await readFolder(folder, {
      threads: 2,
      startReader: () =>
        started++ === 0
          ? startFileWorker()
          : Promise.reject(new Error("no threads")),
    });
    assertEquals([report.threads, report.files.length], [1, 3]);
  });
});

Deno.test("readCensus reports the error of a file in a thread", async () => {
  await withFiles({ ...FILES, "2.csv": "nome\n" }, async (folder) => {
    const error = await assertRejects(
      () => readFolder(folder, { threads: 2 }),
      CensusError,
      "it is not a file of the CNEFE of 2022",
    );
    assertStringIncludes(error.path, "2.csv");
  });
});

Deno.test("startFileWorker gives up a thread that does not answer", async () => {
  const schedule = (callback: () => void) => {
    callback();
    return () => {};
  };
  await assertRejects(
    () => startFileWorker(schedule),
    Error,
    "it does not answer",
  );
});

Deno.test("readCensus reports a thread that ends", async () => {
  await withFiles(FILES, async (folder) => {
    const startReader = async (): Promise<FileReader> => {
      const reader = await startFileWorker();
      await reader.close();
      return reader;
    };
    await assertRejects(
      () => readFolder(folder, { threads: 2, startReader }),
      CensusError,
      "its thread has ended",
    );
  });
});

for (const threads of [1, 2]) {
  Deno.test(`readCensus reports its progress with ${threads} threads`, async () => {
    await withFiles(FILES, async (folder) => {
      const calls: CensusProgress[] = [];
      await readFolder(folder, {
        threads,
        onProgress: (progress) => calls.push(progress),
      });
      const last = calls.at(-1)!;
      assertEquals(last.rows, 4);
      assertEquals(last.bytes, last.totalBytes);
      assertEquals(calls.map(({ bytes }) => bytes).toSorted((a, b) => a - b), [
        ...calls.map(({ bytes }) => bytes),
      ]);
    });
  });

  Deno.test(`readCensus passes on an error of onProgress with ${threads} threads`, async () => {
    await withFiles(FILES, async (folder) => {
      const onProgress = () => {
        throw new Error("no terminal");
      };
      await assertRejects(
        () => readFolder(folder, { threads, onProgress }),
        Error,
        "no terminal",
      );
    });
  });

  Deno.test(`readCensus ends when its signal is aborted with ${threads} threads`, async () => {
    await withFiles(FILES, async (folder) => {
      const aborter = new AbortController();
      const reason = new Error("enough");
      const reading = readFolder(folder, {
        threads,
        signal: aborter.signal,
        onProgress: () => aborter.abort(reason),
      });
      const error = await assertRejects(() => reading);
      assertEquals(error, reason);
    });
  });

  Deno.test(`readCensus does not begin after its signal is aborted with ${threads} threads`, async () => {
    await withFiles(FILES, async (folder) => {
      const signal = AbortSignal.abort(new Error("enough"));
      await assertRejects(
        () => readFolder(folder, { threads, signal }),
        Error,
        "enough",
      );
    });
  });
}

const ROWS = csv([{}, {}, {}]);

/** Changes of a file after it is measured, each between two rows. */
const CHANGES: Readonly<Record<string, (path: string) => void>> = {
  "has shrunk": (path) => truncateSync(path, csv([{}, {}]).length),
  "is empty": (path) => truncateSync(path, 0),
  "has grown": (path) =>
    writeFileSync(path, csv([{}]).split("\n")[1]! + "\n", { flag: "a" }),
};

for (const [name, change] of Object.entries(CHANGES)) {
  Deno.test(`readFile refuses a file that ${name} since it was found`, async () => {
    await withFiles({ "35_SP.csv": ROWS }, async (folder) => {
      const [file] = await findFiles([folder]);
      const path = join(folder, "35_SP.csv");
      change(path);
      await assertRejects(
        () =>
          readFile(file!, {
            now: () => 0,
            onProgress: () => {},
            pause: () => Promise.resolve(),
          }),
        CensusError,
        `it has changed while it was read: it has ${statSync(path).size} ` +
          `bytes instead of ${ROWS.length}`,
      );
    });
  });
}
