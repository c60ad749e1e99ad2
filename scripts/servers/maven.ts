/** Artifacts of a Maven repository: Maven Central, unless Maven knows another. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../command.ts";
import { fillOnce } from "../fill_once.ts";
import { Missing, requireProgram } from "./missing.ts";

const PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

/** The coordinates of an artifact. */
export interface Artifact {
  /** The group. */
  readonly group: string;
  /** The name. */
  readonly name: string;
  /** The version. */
  readonly version: string;
}

/** Options of a download. */
export interface MavenOptions {
  /** The folder for the files. */
  readonly folder: string;
  /** Ends the download. */
  readonly signal: AbortSignal;
}

/** Downloads a jar and the jars that it needs to run into a folder, once. */
export async function downloadJars(
  artifact: Artifact,
  { folder, signal }: MavenOptions,
): Promise<void> {
  const { group, name, version } = artifact;
  await download(artifact, { folder, signal }, async (draft) => {
    const pom = join(draft, "pom.xml");
    await writeFile(
      pom,
      `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>carteiro</groupId>
  <artifactId>servers</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>${group}</groupId>
      <artifactId>${name}</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`,
    );
    return [
      `--file=${pom}`,
      `${PLUGIN}:copy-dependencies`,
      "-DincludeScope=runtime",
      `-DoutputDirectory=${draft}`,
    ];
  });
}

/** Downloads the archive (`tar.gz`) of an artifact into a folder, once. */
export async function downloadArchive(
  artifact: Artifact,
  options: MavenOptions,
): Promise<void> {
  const { group, name, version } = artifact;
  await download(artifact, options, (draft) =>
    Promise.resolve([
      `${PLUGIN}:copy`,
      `-Dartifact=${group}:${name}:${version}:tar.gz`,
      `-DoutputDirectory=${draft}`,
    ]));
}

async function download(
  { group, name, version }: Artifact,
  { folder, signal }: MavenOptions,
  prepare: (draft: string) => Promise<string[]>,
): Promise<void> {
  await fillOnce(folder, async (draft) => {
    await requireProgram(
      { program: "mvn", version: "3.6", install: "Maven" },
      signal,
    );
    const goal = await prepare(draft);
    // Maven remembers for a day what it has not found, but for --update-snapshots.
    const quiet = ["--batch-mode", "--quiet", "--update-snapshots"];
    await run("mvn", [...quiet, ...goal], { signal }).catch((cause) => {
      signal.throwIfAborted();
      const lines: string[] = cause.message.split("\n");
      const reason = lines.find((line) => line.includes("[ERROR]")) ?? lines[0];
      throw new Missing(
        `Maven cannot get ${group}:${name}:${version}; let it reach a ` +
          `repository that has it, such as Maven Central\n${reason}`,
        { cause },
      );
    });
  });
}
