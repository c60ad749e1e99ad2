import { run } from "../../scripts/process.ts";
import { requireTool } from "./_require_tool.ts";

const PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

/**
 * Copies artifacts of Maven Central, or of the configured mirror, into a folder.
 *
 * @param goal Goal of the plugin for dependencies.
 * @param args Arguments of the goal.
 */
export async function copyArtifacts(
  goal: "copy" | "copy-dependencies",
  args: readonly string[],
  folder: string,
): Promise<void> {
  await requireTool("mvn", "3.6", "Maven");
  await run([
    "mvn",
    "--batch-mode",
    "--quiet",
    // Also requests artifacts that were missing less than a day ago.
    "--update-snapshots",
    `${PLUGIN}:${goal}`,
    ...args,
    `-DoutputDirectory=${folder}`,
  ]);
}
