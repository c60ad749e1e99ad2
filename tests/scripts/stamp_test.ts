import { assertEquals, assertThrows } from "@std/assert";
import origin from "../../cep/build.json" with { type: "json" };
import { parseOrigin } from "../../scripts/stamp.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const REPO = "https://github.com/somebody/something";

Deno.test("parseOrigin gives what a release is made from", () => {
  assertEquals(
    parseOrigin(["--commit", COMMIT, "--repo", REPO]),
    { commit: COMMIT, repo: REPO },
  );
});

for (
  const [what, args] of Object.entries({
    "no commit": ["--repo", REPO],
    "a short commit": ["--commit", "0123456", "--repo", REPO],
    "a branch": ["--commit", "main", "--repo", REPO],
    "no repository": ["--commit", COMMIT],
    "a repository without an address": ["--commit", COMMIT, "--repo", "a/b"],
    "an unknown option": ["--commit", COMMIT, "--repo", REPO, "--tag", "v1"],
  })
) {
  Deno.test(`parseOrigin refuses ${what}`, () => {
    assertThrows(() => parseOrigin(args), TypeError);
  });
}

Deno.test("a checkout says that its commit is unknown", () => {
  assertEquals(origin.commit, "unknown");
});
