import { assertEquals, assertThrows } from "@std/assert";
import origin from "../../cep/build.json" with { type: "json" };
import { parseOrigin } from "../../scripts/stamp.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const REPO = "https://github.com/somebody/something";

Deno.test("parseOrigin reads the commit and the repository", () => {
  assertEquals(
    parseOrigin(["--commit", COMMIT, "--repo", REPO]),
    { commit: COMMIT, repo: REPO },
  );
});

for (
  const [name, args] of Object.entries({
    "a missing commit": ["--repo", REPO],
    "a short commit": ["--commit", "0123456", "--repo", REPO],
    "a branch": ["--commit", "main", "--repo", REPO],
    "a missing repository": ["--commit", COMMIT],
    "a repository that is not a URL": ["--commit", COMMIT, "--repo", "a/b"],
    "an unknown option": ["--commit", COMMIT, "--repo", REPO, "--tag", "v1"],
  })
) {
  Deno.test(`parseOrigin refuses ${name}`, () => {
    assertThrows(() => parseOrigin(args), TypeError);
  });
}

Deno.test('build.json has the commit "unknown" in a clone', () => {
  assertEquals(origin.commit, "unknown");
});
