/** File in a {@linkcode Container}. */
export interface SourceFile {
  /** Name as written, without its folder. */
  readonly name: string;
  /**
   * Returns the size in bytes, of a compressed file the uncompressed one.
   *
   * @throws {Error} If the file cannot be read, e.g. because it is encrypted.
   */
  measure(): Promise<number>;
  /**
   * Reads the content. A chunk is valid until the next one is read.
   *
   * @throws {Error} While reading, if the file is damaged.
   */
  read(): AsyncIterable<Uint8Array>;
}

/** Folder on disk or in a zip file. */
export interface Container {
  /** Path for messages. Within a zip file, it begins with that of the zip. */
  readonly path: string;
  /** Names of the files and folders in it. */
  readonly names: readonly string[];
  /** Returns a file in it. */
  file(name: string): SourceFile;
  /** Opens a folder in it. */
  openFolder(name: string): Promise<Container>;
  /** Opens a zip file in it. */
  openZip(name: string): Promise<Container>;
}
