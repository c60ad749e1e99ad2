import { readdir, rm, stat, statfs } from "node:fs/promises";
import { basename, join } from "node:path";
import { readFileKind } from "../../release/file_header.ts";
import { inspectRelease } from "../../release/check_release.ts";
import { releaseName } from "../../release/release.ts";
import { SCHEMA_VERSION } from "../../release/schema.ts";
import type { Logger } from "../../util/logger.ts";
import { reasonOf } from "../../util/reason_of.ts";
import { ReleaseDirectory } from "../release_directory.ts";
import { abortable, ProgressWatch } from "./bounded_reading.ts";
import { download } from "./download.ts";
import { FolderSource } from "./folder_source.ts";
import {
  Follower,
  type Origin,
  type OriginRelease,
  UnusableRelease,
} from "./follower.ts";
import { HttpSource } from "./http_source.ts";
import {
  ManifestError,
  parseManifest,
  type ReleaseManifest,
} from "./manifest.ts";
import { parseManifestAddress } from "./release_url.ts";
import { sha256Of } from "./sha256_of.ts";
import { type ReleaseSource, SourceError } from "./source.ts";

/** Settings of a follower, by the names of `Config`. */
interface FollowerSettings {
  readonly databasePath: string;
  readonly releaseUrl: string;
  readonly releasePollSeconds: number;
}

/**
 * Creates a follower of `RELEASE_URL`, to be started; `undefined` if it is not
 * set.
 *
 * @param holder Name of this process, for an import that must wait.
 */
export function createFollower(
  config: FollowerSettings,
  holder: string,
  logger: Logger,
): Follower | undefined {
  const address = config.releaseUrl
    ? parseManifestAddress(config.releaseUrl)
    : undefined;
  if (address === undefined) return undefined;
  logger.info("Following releases", { RELEASE_URL: address.shown });
  const source = address.url.protocol === "file:"
    ? new FolderSource(address)
    : new HttpSource(address, fetch);
  return new Follower({
    origin: new AddressOrigin({ source }),
    directory: new ReleaseDirectory(config.databasePath),
    holder,
    logger,
    pollMs: config.releasePollSeconds * 1000,
  });
}

/** Options of {@linkcode AddressOrigin}. */
export interface AddressOptions {
  /** Folder of releases. */
  readonly source: ReleaseSource;
  /**
   * Milliseconds within which the manifest or 1 MiB of a file must arrive.
   *
   * @default {30_000}
   */
  readonly stallMs?: number;
  /**
   * Returns the bytes that are free in a folder, `undefined` if unknown.
   *
   * @default {statfs of node:fs/promises}
   */
  readonly freeBytes?: (path: string) => Promise<number | undefined>;
}

/** Name of an unfinished download. */
const PART_NAME = /^cep-[0-9a-f]{64}\.part$/;

/**
 * Folder of release files, whose manifest names the current one. The key of a
 * release is the SHA-256 of its file.
 */
export class AddressOrigin implements Origin {
  readonly setting: Readonly<Record<string, string>>;
  readonly setsAside = false;
  readonly #options: Required<AddressOptions>;
  /** Last manifest, and its validator. */
  #manifest: ReleaseManifest | undefined;
  #manifestEtag: string | undefined;
  /** Validators of unfinished files, by their SHA-256. */
  readonly #etags = new Map<string, string | undefined>();

  constructor(options: AddressOptions) {
    this.#options = { stallMs: 30_000, freeBytes, ...options };
    this.setting = { RELEASE_URL: options.source.shown };
  }

  async current(signal: AbortSignal): Promise<OriginRelease> {
    const manifest = await this.#readManifest(signal);
    const { sha256, release, dne_version, seeded_at, total_ceps, bytes } =
      manifest;
    return {
      key: sha256,
      facts: { release, dne_version, seeded_at, total_ceps, bytes },
      take: (directory, signal) => this.#take(manifest, directory, signal),
    };
  }

  async #readManifest(outer: AbortSignal): Promise<ReleaseManifest> {
    const { source, stallMs } = this.#options;
    const watch = new ProgressWatch(stallMs, outer);
    try {
      const found = await abortable(
        source.readManifest(this.#manifestEtag, watch.signal),
        watch.signal,
      );
      if (found === "unchanged" && this.#manifest) return this.#manifest;
      const { text, etag } = found as Exclude<typeof found, string>;
      this.#manifest = parseManifest(text);
      this.#manifestEtag = etag;
      return this.#manifest;
    } catch (cause) {
      const isKnown = cause instanceof SourceError ||
        cause instanceof ManifestError;
      if (!isKnown) throw cause;
      throw new Error(`Cannot read the manifest: ${cause.message}`, { cause });
    } finally {
      watch.stop();
    }
  }

  async identify(
    path: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (await readFileKind(path) !== "release") return undefined;
    return await sha256Of(path, signal);
  }

  /**
   * Downloads a release, checks it and publishes it. A download that fails is
   * continued by the next call.
   */
  async #take(
    manifest: ReleaseManifest,
    directory: ReleaseDirectory,
    signal: AbortSignal,
  ): Promise<void> {
    const { file } = manifest;
    const path = join(directory.path, `cep-${manifest.sha256}.part`);
    try {
      refuseSchema(manifest);
      await this.#download(path, manifest, directory, signal);
      await refuseOther(path, manifest, signal);
    } catch (cause) {
      if (cause instanceof UnusableRelease) {
        const message = `Cannot use ${file}: ${cause.message}`;
        throw new UnusableRelease(message, { cause });
      }
      if (cause instanceof SourceError) {
        throw new Error(`Cannot read ${file}: ${cause.message}`, { cause });
      }
      throw cause;
    }
    signal.throwIfAborted();
    await directory.publish(path);
  }

  async #download(
    path: string,
    manifest: ReleaseManifest,
    directory: ReleaseDirectory,
    signal: AbortSignal,
  ): Promise<void> {
    await removeOtherParts(path, directory);
    const part = await stat(path).catch(() => undefined);
    const needed = manifest.bytes - (part?.size ?? 0);
    const free = await this.#options.freeBytes(directory.path);
    if (free !== undefined && free < needed) {
      throw new Error(
        `Cannot store the release in "${directory.path}": it needs ` +
          `${manifest.bytes} bytes, which are not free`,
      );
    }
    const { source, stallMs } = this.#options;
    const etags = this.#etags;
    try {
      await download({ source, manifest, path, signal, stallMs, etags });
    } catch (error) {
      const isOfSource = error instanceof SourceError ||
        error instanceof UnusableRelease || signal.aborted;
      if (isOfSource) throw error;
      // The disk is probably full, and others need space, too.
      await directory.discard(path);
      throw new Error(
        `Cannot store the release in "${directory.path}": ${reasonOf(error)}`,
        { cause: error },
      );
    }
  }
}

/** Removes the unfinished files of other releases. */
async function removeOtherParts(
  kept: string,
  { path }: ReleaseDirectory,
): Promise<void> {
  for (const name of await readdir(path)) {
    if (!PART_NAME.test(name) || name === basename(kept)) continue;
    await rm(join(path, name), { force: true });
  }
}

function refuseSchema({ schema_version }: ReleaseManifest): void {
  if (schema_version === SCHEMA_VERSION) return;
  const age = schema_version < SCHEMA_VERSION ? "older" : "newer";
  throw new UnusableRelease(
    `it was written by a version of this program with ${age} tables ` +
      `(${schema_version}, not ${SCHEMA_VERSION})`,
  );
}

/** Removes a file that is not the release of a manifest. */
async function refuseOther(
  path: string,
  manifest: ReleaseManifest,
  signal: AbortSignal,
): Promise<void> {
  try {
    const release = await inspectRelease(path, signal);
    if (
      releaseName(release) !== manifest.release ||
      release.totalCeps !== manifest.total_ceps
    ) {
      throw new Error("it is not the release of the manifest");
    }
  } catch (cause) {
    signal.throwIfAborted();
    await rm(path, { force: true });
    throw new UnusableRelease(reasonOf(cause), { cause });
  }
}

/** Returns the bytes that are free in a folder, `undefined` if unknown. */
async function freeBytes(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return undefined; // Not on every file system, nor with every permission.
  }
}
