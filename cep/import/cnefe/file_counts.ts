/** Value of coordinates without a point. */
export const NO_POINT = 0x7FFFFFFF;

/** Texts in one array of bytes. */
export interface Texts {
  /** UTF-8 of all texts. The first text is empty. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Position of each text, and the end of the last one. */
  readonly starts: Uint32Array<ArrayBuffer>;
}

/** Groups: the addresses of a CEP in a municipality. */
export interface GroupColumns {
  readonly ceps: Uint32Array<ArrayBuffer>;
  readonly municipalities: Uint32Array<ArrayBuffer>;
  readonly addresses: Uint32Array<ArrayBuffer>;
  /** 1/100000 of a degree, {@linkcode NO_POINT} without. */
  readonly latitudes: Int32Array<ArrayBuffer>;
  /** 1/100000 of a degree, {@linkcode NO_POINT} without. */
  readonly longitudes: Int32Array<ArrayBuffer>;
  readonly radii: Uint32Array<ArrayBuffer>;
  /** Index of the text of the locality. */
  readonly localities: Uint32Array<ArrayBuffer>;
  /** Number of distinct named streets. */
  readonly streetCounts: Uint32Array<ArrayBuffer>;
  /** Position of the first street, and at the end the number of streets. */
  readonly firstStreets: Uint32Array<ArrayBuffer>;
}

/** Streets of the groups, that with most addresses of a group first. */
export interface StreetColumns {
  /** Index of the text of the type. */
  readonly types: Uint32Array<ArrayBuffer>;
  /** Index of the text of title and name. */
  readonly names: Uint32Array<ArrayBuffer>;
  readonly addresses: Uint32Array<ArrayBuffer>;
  /** Lowest odd number, 0 without. */
  readonly oddFrom: Uint32Array<ArrayBuffer>;
  readonly oddTo: Uint32Array<ArrayBuffer>;
  /** Lowest even number, 0 without. */
  readonly evenFrom: Uint32Array<ArrayBuffer>;
  readonly evenTo: Uint32Array<ArrayBuffer>;
}

/** Rows of municipalities, by which files with the same rows are found. */
export interface MunicipalityColumns {
  readonly codes: Uint32Array<ArrayBuffer>;
  readonly rows: Uint32Array<ArrayBuffer>;
  /** Sum of hashes of the rows. */
  readonly sums: Uint32Array<ArrayBuffer>;
}

/** Counts of a file. */
export interface FileCounts {
  /** In order of CEP. */
  readonly groups: GroupColumns;
  readonly streets: StreetColumns;
  readonly texts: Texts;
  readonly municipalities: MunicipalityColumns;
}

/** Lists the memory of counts, to hand it on to another thread. */
export function buffersOf(counts: FileCounts): ArrayBuffer[] {
  return Object.values(counts).flatMap((columns) =>
    Object.values(columns as Record<string, Uint32Array<ArrayBuffer>>)
      .map(({ buffer }) => buffer)
  );
}
