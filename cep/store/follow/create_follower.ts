import type { Logger } from "../../util/logger.ts";
import { ReleaseDirectory } from "../release_directory.ts";
import { FolderSource } from "./folder_source.ts";
import { HttpSource } from "./http_source.ts";
import { ReleaseFollower } from "./release_follower.ts";
import { parseManifestAddress } from "./release_url.ts";

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
): ReleaseFollower | undefined {
  const address = config.releaseUrl
    ? parseManifestAddress(config.releaseUrl)
    : undefined;
  if (address === undefined) return undefined;
  logger.info("Following releases", { RELEASE_URL: address.shown });
  return new ReleaseFollower({
    source: address.url.protocol === "file:"
      ? new FolderSource(address)
      : new HttpSource(address, fetch),
    directory: new ReleaseDirectory(config.databasePath),
    holder,
    logger,
    pollMs: config.releasePollSeconds * 1000,
  });
}
