/**
 * Pages of HTML: their language, headers and entity tags.
 */
import { acceptsLanguages } from "@std/http/negotiation";
import { knowsTag } from "./entity_tag.ts";
import {
  addVary,
  type Answer,
  type Exchange,
  type Parameter,
} from "./exchange.ts";
import { contentHash } from "./web_page/page_files.ts";
import type { PageView } from "./web_page/view.ts";

/** Page, before its headers. */
export interface RenderedPage {
  readonly status: number;
  readonly html: string;
  /** The page compressed, if it is sent many times. */
  readonly gzipped?: Uint8Array;
}

/** Policy of a page that loads its own files only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Parameter of {@linkcode languageOf}. */
export const LANGUAGE: Parameter = {
  name: "lang",
  in: "query",
  description: {
    en: "language of the page, `pt` or `en`, instead of that of the browser",
    pt: "idioma da página, `pt` ou `en`, em vez do idioma do navegador",
  },
  example: "en",
};

/** Language of the query, otherwise that which the browser prefers. */
export function languageOf(
  { request, requestHeaders }: Exchange,
  parameters: URLSearchParams,
): Pick<PageView, "language" | "isChosen"> {
  const given = parameters.get("lang");
  if (given === "pt" || given === "en") {
    return { language: given, isChosen: true };
  }
  // The library treats a missing or empty header as accepting everything.
  const best = requestHeaders.get("accept-language")
    ? acceptsLanguages(request, "pt", "pt-BR", "pt-PT", "en", "en-US", "en-GB")
    : "pt";
  return {
    language: best?.startsWith("en") ? "en" : "pt",
    isChosen: false,
  };
}

/** Answers with a page that depends on the language of the browser. */
export function htmlAnswer(
  exchange: Exchange,
  { status, html, gzipped }: RenderedPage,
): Answer {
  const { headers } = exchange;
  addVary(exchange, "Accept-Language");
  headers["content-security-policy"] = POLICY;
  headers["referrer-policy"] = "same-origin";
  const content = new TextEncoder().encode(html);
  const body = {
    type: "text/html; charset=utf-8",
    content,
    length: content.length,
    ...(gzipped && { gzipped }),
  };
  if (status !== 200) return { status, body };
  const tag = `"${contentHash(html)}"`;
  headers["etag"] = tag;
  const isKnown = knowsTag(exchange.requestHeaders, tag);
  return { status: isKnown ? 304 : 200, body, maxAge: 0 };
}
