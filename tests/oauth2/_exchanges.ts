/** Requests of a client with their answers, for `clientTest` and `fakeFetch`. */
import { SITE } from "./_client.ts";
import type { Answer, Exchange, Expected, Fields } from "./_fake_fetch.ts";

/** URL of the token endpoint. */
export const TOKEN_URL = `${SITE}/oauth/token`;
/** Headers of a form. */
export const FORM_HEADERS = {
  "content-type": "application/x-www-form-urlencoded",
};
/** Headers of JSON. */
export const JSON_HEADERS = { "content-type": "application/json" };

/** Creates an answer in JSON. */
export function json(value: unknown, status = 200): Answer {
  return { status, headers: JSON_HEADERS, body: JSON.stringify(value) };
}

/** Creates an answer that is a form. */
export function form(body: string): Answer {
  return { status: 200, headers: FORM_HEADERS, body };
}

/** Creates a redirect. */
export function redirect(location: string, status = 302): Answer {
  return { status, headers: { location } };
}

/** Creates the exchange of a token request. */
export function onToken(respond: Answer, expect: Expected = {}): Exchange {
  return { expect: { method: "POST", url: TOKEN_URL, ...expect }, respond };
}

/** Creates the exchange of a token request with this form. */
export function onTokenForm(
  fields: Fields,
  respond: Answer = json({ access_token: "m" }),
): Exchange {
  return onToken(respond, { body: { form: fields } });
}

/** Creates the exchange of a request to the resource `/from`. */
export function onResource(respond: Answer, expect: Expected = {}): Exchange {
  return {
    expect: { method: "GET", url: `${SITE}/from`, ...expect },
    respond,
  };
}
