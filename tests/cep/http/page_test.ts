/** Pages of lists in memory. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { answerList, encodeCursor } from "../../../cep/http/page.ts";
import { HttpError } from "../../../cep/http/errors.ts";
import { RELEASE } from "../_records.ts";
import { CODE_UNIT } from "../_characters.ts";

const LIST = ["a", "b", "c", "d", "e"];

interface PageBody {
  readonly total: number;
  readonly data: readonly string[];
  readonly cursor: string | null;
}

function ask(
  query: string,
  { list = LIST, name = "letras", release = RELEASE } = {},
): PageBody {
  const { status, body, maxAge } = answerList(list, {
    release,
    name,
    query,
    toBody: (it) => it.toUpperCase(),
    maxAge: 60,
  });
  assertEquals([status, maxAge], [200, 60]);
  return JSON.parse(body!.content as string);
}

Deno.test("answerList returns 1,000 items by default", () => {
  const { data, cursor } = ask("", { list: Array(1001).fill("a") });
  assertEquals(data.length, 1000);
  assert(cursor !== null);
});

for (const limit of [1, 2, 3, 4, 5, 1000]) {
  Deno.test(`answerList returns every item once in pages of ${limit}`, () => {
    const found: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: PageBody = ask(`limite=${limit}&cursor=${cursor}`);
      assert(page.data.length >= 1 && page.data.length <= limit);
      found.push(...page.data);
      cursor = page.cursor;
    }
    assertEquals(found, ["A", "B", "C", "D", "E"]);
  });
}

for (
  const limit of ["0", "-1", "1001", "1.5", "1e2", "x", "", "٣", "9999999"]
) {
  Deno.test(`answerList refuses limite=${limit}`, () => {
    refuse("parameter_invalid", `limite=${encodeURIComponent(limit)}`);
  });
}

for (
  const position of [0, -1, 5, 6, 1.5, NaN, 1e300, "1", "length", "__proto__"]
) {
  Deno.test(`answerList refuses a forged cursor to ${position}`, () => {
    const cursor = encodeCursor(RELEASE, "letras", [position]);
    refuse("cursor_invalid", `cursor=${cursor}`);
  });
}

Deno.test("answerList refuses a cursor of another list or release", () => {
  const { cursor } = ask("limite=2");
  refuse("cursor_invalid", `cursor=${cursor}`, { name: "outras" });
  const release = { ...RELEASE, id: RELEASE.id + 1 };
  refuse("cursor_invalid", `cursor=${cursor}`, { release });
});

Deno.test("answerList refuses any other cursor", () => {
  const text = fc.array(CODE_UNIT, { minLength: 1, maxLength: 40 })
    .map((units) => units.join(""));
  fc.assert(fc.property(text, (cursor) => {
    const query = new URLSearchParams({ cursor }).toString();
    refuse("cursor_invalid", query);
  }));
});

function refuse(
  code: string,
  query: string,
  options?: Parameters<typeof ask>[1],
): void {
  const error = assertThrows(() => ask(query, options), HttpError);
  assertEquals(error.code, code);
}
