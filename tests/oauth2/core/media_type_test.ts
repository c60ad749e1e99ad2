import { assertEquals } from "@std/assert";
import { isJsonType, mediaType } from "../../../oauth2/core/media_type.ts";

for (
  const [contentType, type] of [
    ["application/json", "application/json"],
    ["Text/HTML; charset=UTF-8", "text/html"],
    [" text/plain ;a=b;c=d", "text/plain"],
    [";charset=utf-8", ""],
    ["", ""],
    [null, ""],
    [undefined, ""],
  ] as const
) {
  Deno.test(`mediaType returns "${type}" for ${JSON.stringify(contentType)}`, () => {
    assertEquals(mediaType(contentType), type);
  });
}

for (
  const [type, isJson] of [
    ["application/json", true],
    ["text/json", true],
    ["application/vnd.api+json", true],
    ["image/svg+json", true],
    ["application/jsonp", false],
    ["application/json-seq", false],
    ["x-application/json", false],
    ["text/javascript", false],
    ["json", false],
    ["", false],
  ] as const
) {
  Deno.test(`isJsonType returns ${isJson} for "${type}"`, () => {
    assertEquals(isJsonType(type), isJson);
  });
}
