/** Issue forms, checked by GitHub's rules. */
import { assert, assertEquals } from "@std/assert";
import { parse } from "yaml";
import { listNames, readText } from "./_repository.ts";

const FOLDER = ".github/ISSUE_TEMPLATE";

const read = (file: string) => parse(readText(`${FOLDER}/${file}`));

interface Field {
  readonly type: string;
  readonly id?: string;
  readonly attributes: {
    readonly label?: string;
    readonly value?: string;
    readonly options?: readonly unknown[];
  };
  readonly validations?: { readonly required?: boolean };
}

interface Form {
  readonly name: string;
  readonly description: string;
  readonly labels?: readonly string[];
  readonly body: readonly Field[];
}

/** Attributes that each type of field must have and may have. */
const TYPES: Record<string, { must: string[]; may: string[] }> = {
  markdown: { must: ["value"], may: [] },
  input: { must: ["label"], may: ["description", "placeholder", "value"] },
  textarea: {
    must: ["label"],
    may: ["description", "placeholder", "value", "render"],
  },
  dropdown: {
    must: ["label", "options"],
    may: ["description", "multiple", "default"],
  },
};

function typeOf({ type }: Field): { must: string[]; may: string[] } {
  const attributes = TYPES[type];
  if (attributes !== undefined) return attributes;
  throw new TypeError(`Cannot use the field type "${type}": it is unknown`);
}

const forms = listNames(FOLDER).filter((file) => file !== "config.yml")
  .map((file): [string, Form] => [file, read(file)]);

for (const [file, form] of forms) {
  Deno.test(`${file} has only the keys of a form`, () => {
    const keys = ["body", "description", "labels", "name"];
    assertEquals(Object.keys(form).sort(), keys);
    assert(form.name !== "" && form.description !== "");
  });

  Deno.test(`${file} has fields of known types with their attributes`, () => {
    for (const field of form.body) {
      const names = Object.keys(field.attributes);
      const label = field.attributes.label ?? field.type;
      const { must, may } = typeOf(field);
      assertEquals(must.filter((it) => !names.includes(it)), [], label);
      const known = [...must, ...may];
      assertEquals(names.filter((it) => !known.includes(it)), [], label);
    }
  });

  Deno.test(`${file} has fields with unique ids and labels`, () => {
    const fields = form.body.filter((field) => field.type !== "markdown");
    assert(fields.length > 0);
    assert(fields.every(({ id }) => /^[a-z][\w-]*$/.test(id ?? "")));
    assertEquals(new Set(fields.map((it) => it.id)).size, fields.length);
    const labels = fields.map((it) => it.attributes.label);
    assertEquals(new Set(labels).size, fields.length);
  });

  Deno.test(`${file} has unique options that are strings`, () => {
    for (const { attributes: { options = [] } } of form.body) {
      // In YAML, `- yes` is a boolean and `- 1.0` a number.
      assertEquals(options.filter((it) => typeof it !== "string"), []);
      assertEquals(new Set(options).size, options.length);
    }
  });
}

for (
  const [file, warning] of [
    ["bug_cep.yml", /Never paste rows of the DNE/],
    ["bug_oauth2.yml", /Never paste a token/],
  ] as const
) {
  const { body } = read(file) as Form;

  Deno.test(`${file} begins with a warning`, () => {
    assert(warning.test(body[0]?.attributes.value ?? ""));
  });

  Deno.test(`${file} requires the fields for reproducing a bug`, () => {
    const asked = body.filter((it) => it.validations?.required)
      .map((it) => it.id);
    for (
      const id of ["version", "runtime", "system", "done", "expected", "seen"]
    ) assert(asked.includes(id), id);
  });
}

Deno.test("config.yml links to private vulnerability reports", () => {
  const { blank_issues_enabled, contact_links } = read("config.yml");
  assertEquals(blank_issues_enabled, false);
  const [{ name, url, about }] = contact_links;
  assert(name && about);
  const security = readText("SECURITY.md");
  assert(security.includes(`(${url})`), "SECURITY.md names another URL");
});
