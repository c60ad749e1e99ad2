import { fillTemplate } from "./template.ts";
import { PAGE_TEXTS, type PageLanguage } from "./texts.ts";

/** Media type of a description. */
export const OPEN_SEARCH_TYPE = "application/opensearchdescription+xml";

/** Hosts that are written into a description: names, addresses, ports. */
const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i;

/**
 * Describes the search to browsers (OpenSearch 1.1), which need whole URLs.
 *
 * @param host Host that the browser has asked, `""` if unknown.
 */
export function describeSearch(
  language: PageLanguage,
  host: string,
  isSecure: boolean,
): string {
  const { title } = PAGE_TEXTS[language];
  const scheme = isSecure ? "https" : "http";
  return fillTemplate(
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
      `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">` +
      `<ShortName>Carteiro</ShortName><Description>{{title}}</Description>` +
      `<InputEncoding>UTF-8</InputEncoding>` +
      `<Image width="16" height="16" type="image/svg+xml">` +
      `{{origin}}/favicon.ico</Image>` +
      `<Url type="text/html" template="{{origin}}/?q={searchTerms}"/>` +
      `</OpenSearchDescription>\n`,
    {
      title,
      origin: `${scheme}://${HOST.test(host) ? host : "localhost"}`,
    },
  );
}
