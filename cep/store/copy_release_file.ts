import { checkCopy } from "../release/check_release.ts";
import { attempt, type Connection } from "../release/connection.ts";
import { copyRelease } from "./copy_release.ts";
import { connect, connectImmutable } from "../release/local_connection.ts";
import { OpenRelease } from "../release/open_release.ts";
import { releaseName } from "../release/release.ts";
import type { Release } from "./store.ts";

/**
 * Copies a release into a new file, and checks the file.
 *
 * @param signal Ends the copy between two batches.
 * @returns The facts of the release.
 * @throws {DatabaseError} If a database cannot be read or written, or the copy
 * is incomplete or could not be used by a store. The file may be left.
 */
export async function copyReleaseFile(
  source: Connection,
  path: string,
  { id }: Pick<Release, "id">,
  signal: AbortSignal,
): Promise<Release> {
  const target = await connect(path);
  try {
    await copyRelease(source, target, signal);
  } finally {
    target.close();
  }
  const copy = await connectImmutable(path);
  try {
    const release = await OpenRelease.open(copy);
    const { facts } = release;
    await checkCopy(copy, { ...facts, id });
    await attempt(
      `Cannot use the copy of release ${releaseName({ id })}`,
      () => release.checkParts(signal),
    );
    return facts;
  } finally {
    copy.close();
  }
}
