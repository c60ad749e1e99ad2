const JSON_TYPE = /^(application|text)\/json$|\+json$/;

/** Returns the media type in lower case and without parameters, or "". */
export function mediaType(contentType: string | null | undefined): string {
  return (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

/** Returns true for a JSON media type. */
export function isJsonType(type: string): boolean {
  return JSON_TYPE.test(type);
}
