import { FORM_TYPE } from "../core/body.ts";
import { mediaType } from "../core/headers.ts";
import { readBody } from "../core/read_body.ts";
import { type Fail, failing } from "../core/validation_error.ts";
import { invalid } from "../core/type_error.ts";

/**
 * Authorization response: the URL of the callback, absolute or as a path; its
 * request, with GET or, for `response_mode=form_post`, with POST; or its
 * parameters.
 */
export type AuthorizationResponse = string | URL | Request | URLSearchParams;

/** Parameters by name. */
export type ResponseParams = {
  readonly [name in typeof NAMES[number]]?: string;
};

/**
 * Parameters of authorization responses, which must not be repeated (RFC 6749
 * section 3.1). Those of the application in its redirect URI are ignored.
 */
const NAMES = [
  "state",
  "iss",
  "error",
  "error_description",
  "error_uri",
  "code",
  "response",
  "access_token",
  "token_type",
  "expires_in",
  "scope",
  "id_token",
  "session_state",
] as const;

const MAX_FORM_BYTES = 64 * 1024;
/** Throws the error of a sign-in. */
export const failSignIn: Fail = failing("complete the sign-in");

/**
 * Reads the parameters of an authorization response.
 *
 * @throws {ValidationError} If a parameter is repeated, or the request is not
 * one to a redirect URI.
 * @throws {TypeError} If it is of another type, or its body was read.
 */
export async function readResponse(
  response: AuthorizationResponse,
): Promise<ResponseParams> {
  const params = response instanceof URLSearchParams
    ? response
    // Also a URL of another realm.
    : typeof response === "string" || "href" in Object(response)
    ? readUrl(String(response))
    : await readRequest(response as Request);
  const found: Record<string, string> = {};
  for (const name of NAMES) {
    const [value, ...others] = params.getAll(name);
    if (others.length > 0) {
      failSignIn("repeated_parameter", `${name} is repeated`);
    }
    if (value !== undefined && value !== "") found[name] = value;
  }
  return found;
}

/** Reads the query of a GET, or the form of a POST. */
export async function readRequest(request: Request): Promise<URLSearchParams> {
  const { method, url, headers, bodyUsed, body } = Object(request);
  if (typeof method !== "string" || typeof url !== "string") {
    refuse("it must be a URL, its parameters or a Request");
  }
  if (method === "GET") return readUrl(url);
  if (typeof headers?.get !== "function") {
    refuse("pass the parameters of the form as URLSearchParams");
  }
  const type = mediaType(headers.get("content-type"));
  if (method !== "POST" || type !== FORM_TYPE) {
    failSignIn(
      "invalid_request",
      "the request is neither a GET nor a POST of a form",
    );
  }
  if (bodyUsed || body?.locked) {
    refuse("its body was read; pass the parameters as URLSearchParams");
  }
  const bytes = await readBody(request, MAX_FORM_BYTES) ??
    failSignIn(
      "invalid_request",
      `the form is longer than ${MAX_FORM_BYTES} bytes`,
    );
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

function readUrl(url: string): URLSearchParams {
  // Only the query is used; a server may know only the path.
  const { searchParams } = URL.parse(url, "http://localhost") ??
    failSignIn("invalid_request", "the URL is invalid");
  return searchParams;
}

function refuse(state: string): never {
  throw invalid(`Cannot read the authorization response: ${state}`);
}
