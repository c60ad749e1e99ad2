/** Error of an import that was refused because of the content of the files. */
export class SeedError extends Error {
  /** Always `SeedError`. */
  override readonly name = "SeedError";
}
