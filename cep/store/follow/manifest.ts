/** Version of the manifest's format. */
export const MANIFEST_FORMAT = 1;

/** Name of the manifest in its folder. */
export const MANIFEST_NAME = "manifest.json";

/** Largest size of a manifest, in bytes. */
export const MAX_MANIFEST_BYTES = 65_536;

/** Largest size of a release file, in bytes. */
export const MAX_RELEASE_BYTES: number = 16 * 1024 ** 3;

/** Name of a release file. */
export const RELEASE_FILE: RegExp = /^release-[0-9a-f]{8}\.db$/;

/** Manifest of a folder of releases: the file that instances should use. */
export interface ReleaseManifest {
  /** {@linkcode MANIFEST_FORMAT}. */
  readonly format: number;
  /** Name of the release file, which is in the folder of the manifest. */
  readonly file: string;
  /** Size of the file. */
  readonly bytes: number;
  /** SHA-256 of the file, 64 hexadecimal digits. */
  readonly sha256: string;
  /** Id of the release, eight hexadecimal digits. */
  readonly release: string;
  /** Version of the tables in the file. */
  readonly schema_version: number;
  /** Version of the DNE, `""` if unknown. */
  readonly dne_version: string;
  /** Time of the import, ISO 8601. */
  readonly seeded_at: string;
  /** Number of records. */
  readonly total_ceps: number;
}

/** Text that is not a manifest of this program. */
export class ManifestError extends Error {
  /** Always `ManifestError`. */
  override readonly name = "ManifestError";
}

/** Returns the name of the file of a release. */
export function releaseFileName(release: string): string {
  return `release-${release}.db`;
}

/** Formats a manifest. */
export function formatManifest(manifest: ReleaseManifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/**
 * Parses a manifest. Other members are ignored.
 *
 * @throws {ManifestError} If a member is missing or has a value that
 * `MODE=export` does not write.
 */
export function parseManifest(text: string): ReleaseManifest {
  const given = parseObject(text);
  if (Number.isSafeInteger(given.format) && given.format !== MANIFEST_FORMAT) {
    throw new ManifestError(
      `its format is ${given.format}, but this version of the program reads ` +
        `format ${MANIFEST_FORMAT}`,
    );
  }
  const wrong = Object.entries(MEMBERS)
    .filter(([name, isValid]) => !isValid(given[name]))
    .map(([name]) => name);
  if (wrong.length > 0) {
    throw new ManifestError(
      `it is not a manifest of releases: ${wrong.join(", ")} must be as ` +
        "EXPORT_FORMAT=release writes",
    );
  }
  const manifest = Object.fromEntries(
    Object.keys(MEMBERS).map((name) => [name, given[name]]),
  ) as unknown as ReleaseManifest;
  // A fixed name leaves no path or address to follow.
  if (manifest.file !== releaseFileName(manifest.release)) {
    throw new ManifestError(
      `its file must be "${releaseFileName(manifest.release)}", the name of ` +
        "its release",
    );
  }
  return manifest;
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ManifestError("it is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ManifestError("it is not a JSON object");
  }
  return { ...value };
}

/** Checks of every member. */
const MEMBERS: {
  readonly [K in keyof ReleaseManifest]: (value: unknown) => boolean;
} = {
  format: (value) => value === MANIFEST_FORMAT,
  file: (value) => matches(value, RELEASE_FILE),
  bytes: (value) => isIntegerUpTo(value, MAX_RELEASE_BYTES) && value !== 0,
  sha256: (value) => matches(value, /^[0-9a-f]{64}$/),
  release: (value) => matches(value, /^[0-9a-f]{8}$/),
  schema_version: (value) => isIntegerUpTo(value, Number.MAX_SAFE_INTEGER),
  dne_version: (value) => matches(value, /^[\w.-]{0,40}$/),
  seeded_at: (value) => matches(value, /^\d{4}-\d\d-\d\dT[\d:.]{1,20}Z$/),
  total_ceps: (value) => isIntegerUpTo(value, 100_000_000),
};

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

function isIntegerUpTo(value: unknown, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 &&
    (value as number) <= most;
}
