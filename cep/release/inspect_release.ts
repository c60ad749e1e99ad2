import { failure } from "./connection.ts";
import { readFileKind, UNUSABLE } from "./file_header.ts";
import { connectImmutable } from "./local_connection.ts";
import { OpenRelease } from "./open_release.ts";
import { DatabaseError } from "./errors.ts";
import type { Release } from "./release.ts";

/**
 * Checks a file as a whole, and returns the facts of its release.
 *
 * @param signal Ends the check of its snapshot and its search index.
 * @throws {DatabaseError} If a store cannot use it.
 */
export async function inspectRelease(
  path: string,
  signal?: AbortSignal,
): Promise<Release> {
  const kind = await readFileKind(path);
  if (kind !== "release") refuse(path, UNUSABLE[kind]);
  const connection = await connectImmutable(path);
  try {
    const damage = await connection.findDamage?.();
    if (damage !== undefined) refuse(path, damage);
    const release = await OpenRelease.open(connection);
    await release.checkParts(signal);
    return release.facts;
  } catch (cause) {
    throw failure(`Cannot use release "${path}"`, cause);
  } finally {
    connection.close();
  }
}

function refuse(path: string, reason: string): never {
  throw new DatabaseError(`Cannot use release "${path}": ${reason}`);
}
