/** Requests before there is a client: for metadata and for registration. */
import { config } from "./config.ts";
import type { DiscoverOptions } from "../server/discover.ts";
import { OAuth2Error, type OAuth2Response } from "./response.ts";
import { mergeHeaders } from "./headers.ts";
import { parseJson } from "./parsers.ts";
import { Redactor } from "./redactor.ts";
import type { WireRequest } from "./transport.ts";
import { describe, exchange, MAX_RESPONSE_BYTES } from "./transport.ts";

export interface DirectRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: URL;
  readonly json?: unknown;
  readonly bearer?: string | undefined;
}

/** Response, and a function that creates its error. */
export interface DirectResponse {
  readonly response: OAuth2Response;
  /** Creates an error with this message, from which secrets are removed. */
  readonly fail: (message?: string) => OAuth2Error;
}

/**
 * Sends a request and parses its response as JSON, whatever its media type.
 * Redirects are not followed.
 *
 * @throws {ConnectionError} If no complete response arrives.
 */
export async function sendDirect(
  { method, url, json, bearer }: DirectRequest,
  options: DiscoverOptions,
): Promise<DirectResponse> {
  const redactor = new Redactor(config);
  const request: WireRequest = {
    method,
    url,
    headers: mergeHeaders(
      { accept: "application/json" },
      json === undefined ? {} : { "content-type": "application/json" },
      options.headers,
      bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    ),
    ...json !== undefined && { body: JSON.stringify(json) },
    secrets: bearer === undefined ? [] : [bearer],
    // A repeated registration registers a second client.
    repetition: method === "POST" ? "if refused" : "safe",
  };
  const response = await exchange(
    request,
    { ...options, redactor, maxBodyBytes: MAX_RESPONSE_BYTES },
    { parse: parseJson, snaky: false },
  );
  const redact = (text: string) => redactor.text(text, request);
  return {
    response,
    fail: (message) =>
      new OAuth2Error(response, {
        message: message && redact(message),
        request: describe(request, redactor),
        redact,
        label: redactor.label,
        repetition: request.repetition,
      }),
  };
}
