/** The `package.json` of a package. */
import { OLDEST_NODE, type Source } from "./packages.ts";

/** What of the `package.json` that `deno pack` writes is read. */
export interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** A `package.json` that is complete. */
export interface Manifest extends PackedManifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

/** What {@linkcode completeManifest} needs to know. */
export interface ManifestOptions {
  /** The package in the repository. */
  readonly source: Source;
  /** Address of the repository. */
  readonly repo: string;
  /** Packages of the repository that it imports, with their versions. */
  readonly siblings: Readonly<Record<string, string>>;
  /** The file that its command runs. */
  readonly commandFile: string;
}

/**
 * Adds what `deno pack`, which knows no more than a `deno.json`, leaves out.
 *
 * Siblings are wanted in exactly one version: a second copy of a package would
 * have classes of its own, and `instanceof` would be false.
 */
export function completeManifest(
  packed: PackedManifest,
  { source, repo, siblings, commandFile }: ManifestOptions,
): Manifest {
  const { folder, description, keywords, command } = source;
  const { name, version, dependencies, ...rest } = packed;
  const atRoot = folder === ".";
  return {
    name,
    version,
    description,
    keywords,
    homepage: atRoot ? `${repo}#readme` : `${repo}/tree/HEAD/${folder}#readme`,
    bugs: { url: `${repo}/issues` },
    repository: {
      type: "git",
      url: `git+${repo}.git`,
      ...(atRoot ? {} : { directory: folder }),
    },
    ...rest,
    ...(command === undefined ? {} : { bin: { [command]: commandFile } }),
    sideEffects: false,
    engines: { node: `>=${OLDEST_NODE}` },
    publishConfig: { access: "public", provenance: true },
    dependencies: { ...dependencies, ...siblings },
  };
}
