const JSON_TYPE = /^(application|text)\/json$|\+json$/;

/** Reads a media type: in lower case, without parameters, "" if absent. */
export function mediaType(contentType: string | null | undefined): string {
  return (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

/** Tells a media type whose bodies are JSON. */
export function isJsonType(type: string): boolean {
  return JSON_TYPE.test(type);
}
