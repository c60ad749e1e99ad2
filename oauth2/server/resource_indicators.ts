/**
 * Resource indicators (RFC 8707).
 *
 * @module
 */
import { invalid } from "../core/type_error.ts";

/**
 * Checks the values of the parameter `resource` and returns them as a list.
 *
 * @throws {TypeError} If one is not an absolute URI, or has a fragment (RFC
 * 8707 section 2).
 *
 * @example
 * ```ts
 * import { checkResources } from "@carteiro/oauth2/resource-indicators";
 *
 * const resource = checkResources("https://api.example/notes");
 * console.assert(resource.length === 1);
 * ```
 */
export function checkResources(
  resources: string | URL | readonly (string | URL)[],
): string[] {
  return [resources].flat().map((resource) => {
    const text = String(resource);
    if (!URL.canParse(text) || text.includes("#")) {
      throw invalid(
        `Cannot request the resource "${text}": it must be an absolute URI without fragment`,
      );
    }
    return text;
  });
}

/**
 * Returns the requested resources that are not in the audience of a token, as
 * introspection (RFC 7662) or the claims of a JWT tell it. A client cannot know
 * the audience otherwise: an access token is opaque to it.
 *
 * @example
 * ```ts
 * import { missingResources } from "@carteiro/oauth2/resource-indicators";
 *
 * const missing = missingResources(
 *   ["https://api.example", "https://mail.example"],
 *   { aud: "https://api.example/" },
 * );
 * console.assert(missing.join() === "https://mail.example");
 * ```
 */
export function missingResources(
  resources: string | URL | readonly (string | URL)[],
  { aud }: { readonly aud?: unknown },
): string[] {
  const audiences = (Array.isArray(aud) ? aud : [aud])
    .filter((audience) => typeof audience === "string")
    .map(normalize);
  return checkResources(resources)
    .filter((resource) => !audiences.includes(normalize(resource)));
}

/** Adds the slash after an origin, which servers add or omit. */
function normalize(resource: string): string {
  return URL.parse(resource)?.href ?? resource;
}
