/** Answer to the question for the manifest. */
export interface ManifestText {
  /** Text of the manifest. */
  readonly text: string;
  /** Validator of the text, to ask for changes only. */
  readonly etag: string | undefined;
}

/** Content of a file from a position to its end. */
export interface FilePart {
  /** Position of the first byte: that asked for, or 0 for the whole file. */
  readonly start: number;
  /** Size of the whole file, `undefined` if it is not known. */
  readonly size: number | undefined;
  /** Validator of the content, `undefined` without one. */
  readonly etag: string | undefined;
  /**
   * Content from `start`. It must be iterated over or cancelled.
   *
   * @throws {SourceError} If it cannot be read to its end.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Ends the reading before its start. */
  cancel(): Promise<void>;
}

/** Options of {@linkcode ReleaseSource.open}. */
export interface OpenOptions {
  /** Position to continue from. */
  readonly start: number;
  /** Validator of the content before that position. */
  readonly etag: string | undefined;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

/** Folder of releases, on a server or in the file system. */
export interface ReleaseSource {
  /** Address of the manifest, for logs. */
  readonly shown: string;
  /**
   * Reads the manifest, unless it still has this validator.
   *
   * @throws {SourceError} If it cannot be read.
   */
  readManifest(
    etag: string | undefined,
    signal: AbortSignal,
  ): Promise<ManifestText | "unchanged">;
  /**
   * Opens a file for reading.
   *
   * @throws {SourceError} If it cannot be read.
   */
  open(name: string, options: OpenOptions): Promise<FilePart>;
}

/** Failure to read from a source. Its message has no query string. */
export class SourceError extends Error {
  /** Always `SourceError`. */
  override readonly name = "SourceError";
}
