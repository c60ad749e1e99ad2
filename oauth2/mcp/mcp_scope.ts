import { parseChallenges } from "../core/challenges.ts";
import type {
  ResourceMetadata,
  ResourceOptions,
} from "../verify/protected_resource.ts";

/**
 * Returns the scope that a challenge demands, or all scopes of the metadata,
 * if it has any.
 */
export function findScope(
  source: ResourceOptions["challenge"],
  { scopes_supported }: ResourceMetadata,
): string | undefined {
  const header = typeof source === "object" && source !== null &&
      "headers" in source
    ? source.headers
    : source;
  const demanded = parseChallenges(header)
    .map(({ params }) => params.scope)
    .find((scope) => scope !== undefined && scope !== "");
  return demanded ?? textsOf(scopes_supported)?.join(" ");
}

/**
 * Returns a field of metadata, which is not validated, if it is a list of texts
 * that are not empty.
 */
export function textsOf(value: unknown): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.length > 0 &&
    value.every((item) => typeof item === "string" && item !== "");
  return isList ? value : undefined;
}
