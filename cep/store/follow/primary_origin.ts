import { checkCopy } from "../../release/check_release.ts";
import { attempt, type Connection } from "../../release/connection.ts";
import { readFileKind } from "../../release/file_header.ts";
import { inspectRelease } from "../../release/check_release.ts";
import { connect, connectImmutable } from "../../release/local_connection.ts";
import { OpenRelease } from "../../release/open_release.ts";
import { releaseName } from "../../release/release.ts";
import type { Logger } from "../../util/logger.ts";
import { reasonOf } from "../../util/reason_of.ts";
import type { ReleaseDirectory } from "../release_directory.ts";
import { UnreachableError, type Writer } from "../store.ts";
import { copyRelease } from "./copy_release.ts";
import {
  type Origin,
  type OriginRelease,
  UnusableRelease,
} from "./follower.ts";

/** Database that a replica follows. */
export interface Primary extends Writer {
  /** Name for the log: its URL, without a secret. */
  readonly name: string;
  /** Finds the current release, `undefined` without one. */
  current(): Promise<PrimaryRelease | undefined>;
  /** Closes the database. */
  close(): Promise<void>;
}

/** Release of a {@linkcode Primary}. */
export interface PrimaryRelease {
  /** Id of the release. */
  readonly id: number;
  /** Opens the tables of the release. */
  connect(): Promise<Connection>;
}

/**
 * Database whose releases are copied, table by table. The key of a release is
 * its name.
 *
 * The embedded replicas of the driver are not used: its asynchronous half cannot
 * open them, the other half blocks the thread during a sync, and neither opens a
 * file while the primary is away.
 */
export class PrimaryOrigin implements Origin {
  readonly setting: Readonly<Record<string, string>>;
  readonly setsAside = true;
  readonly #primary: Primary;
  readonly #logger: Logger;

  constructor(primary: Primary, logger: Logger) {
    this.#primary = primary;
    this.#logger = logger;
    this.setting = { DB_URL: primary.name };
  }

  async current(): Promise<OriginRelease> {
    const release = await this.#primary.current();
    if (release === undefined) {
      throw new Error(
        "the primary has no release; import the DNE or the CNEFE with MODE=seed",
      );
    }
    const key = releaseName(release);
    return {
      key,
      facts: { release: key },
      take: (directory, signal) => this.#take(release, directory, signal),
    };
  }

  async identify(
    path: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (await readFileKind(path) !== "release") return undefined;
    try {
      return releaseName(await inspectRelease(path, signal));
    } catch (error) {
      signal.throwIfAborted();
      this.#logger.warn("The copy is damaged, it is replaced", {
        file: path,
        error: reasonOf(error),
      });
      return undefined;
    }
  }

  async #take(
    release: PrimaryRelease,
    directory: ReleaseDirectory,
    signal: AbortSignal,
  ): Promise<void> {
    const path = directory.newPath();
    try {
      await copyInto(path, release, signal);
      // The tables of a replaced release may have been removed during the copy.
      if ((await this.#primary.current())?.id !== release.id) {
        throw new Error("the primary has a new release");
      }
      signal.throwIfAborted();
      await directory.publish(path);
    } catch (cause) {
      await directory.discard(path);
      if (cause instanceof UnreachableError) throw cause;
      // The next poll would copy all of it again.
      throw new UnusableRelease(reasonOf(cause), { cause });
    }
  }

  async close(): Promise<void> {
    await this.#primary.close();
  }
}

/** Copies a release into a new file, and checks the file. */
async function copyInto(
  path: string,
  release: PrimaryRelease,
  signal: AbortSignal,
): Promise<void> {
  const source = await release.connect();
  try {
    const target = await connect(path);
    try {
      await copyRelease(source, target, signal);
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
  const copy = await connectImmutable(path);
  try {
    const opened = await OpenRelease.open(copy);
    await checkCopy(copy, { ...opened.facts, id: release.id });
    await attempt(
      `Cannot use the copy of release ${releaseName(release)}`,
      () => opened.checkParts(signal),
    );
  } finally {
    copy.close();
  }
}
