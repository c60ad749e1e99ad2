/** The forms for issues, as far as GitHub's rules for them can be checked. */
import { assert, assertEquals } from "@std/assert";
import { parse } from "yaml";

const FOLDER = new URL("../../.github/ISSUE_TEMPLATE/", import.meta.url);

const read = (file: string) =>
  parse(Deno.readTextFileSync(new URL(file, FOLDER)));

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

/** The attributes that each type of field must have, and those it may have. */
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

const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort();
const forms = files.filter((file) => file !== "config.yml")
  .map((file): [string, Form] => [file, read(file)]);

Deno.test("there is a form for a fault of each module and for wishes", () => {
  assertEquals(forms.map(([file]) => file), [
    "bug_cep.yml",
    "bug_oauth2.yml",
    "feature.yml",
  ]);
});

for (const [file, form] of forms) {
  Deno.test(`${file} has the keys of a form and no other`, () => {
    const keys = ["body", "description", "labels", "name"];
    assertEquals(Object.keys(form).sort(), keys);
    assert(form.name !== "" && form.description !== "");
  });

  Deno.test(`${file} has fields of known types with what they need`, () => {
    for (const field of form.body) {
      const names = Object.keys(field.attributes);
      const label = field.attributes.label ?? field.type;
      const { must, may } = typeOf(field);
      assertEquals(must.filter((it) => !names.includes(it)), [], label);
      const known = [...must, ...may];
      assertEquals(names.filter((it) => !known.includes(it)), [], label);
    }
  });

  Deno.test(`${file} has fields with ids and labels of their own`, () => {
    const fields = form.body.filter((field) => field.type !== "markdown");
    assert(fields.length > 0);
    assert(fields.every(({ id }) => /^[a-z][\w-]*$/.test(id ?? "")));
    assertEquals(new Set(fields.map((it) => it.id)).size, fields.length);
    const labels = fields.map((it) => it.attributes.label);
    assertEquals(new Set(labels).size, fields.length);
  });

  Deno.test(`${file} has options that are words, each once`, () => {
    for (const { attributes: { options = [] } } of form.body) {
      // `- yes` would be a truth value, `- 1.0` a number.
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

  Deno.test(`${file} warns before anything else`, () => {
    assert(warning.test(body[0]?.attributes.value ?? ""));
  });

  Deno.test(`${file} asks for what a fault cannot be found without`, () => {
    const asked = body.filter((it) => it.validations?.required)
      .map((it) => it.id);
    assertEquals(
      asked,
      ["version", "runtime", "system", "done", "expected", "seen"],
    );
  });
}

Deno.test("config.yml leads vulnerabilities to where they stay private", () => {
  const { blank_issues_enabled, contact_links } = read("config.yml");
  assertEquals(blank_issues_enabled, false);
  const [{ name, url, about }] = contact_links;
  assert(name && about);
  const security = Deno.readTextFileSync(
    new URL("../../SECURITY.md", FOLDER),
  );
  assert(security.includes(`(${url})`), "SECURITY.md names another address");
});
