/** Requests in the documentation of `cep`, repeated over the sample. */
import { assert, assertEquals } from "@std/assert";
import { createHandler, openStore, seed, update } from "../../cep/mod.ts";
import { SAMPLE, SAMPLE_CNEFE, SAMPLE_DELTA } from "../_sample.ts";
import { CEP_DOCUMENTS, readText } from "./_repository.ts";

/** A `curl` command, followed by the body of its response. */
interface Example {
  readonly command: string;
  readonly type: "json" | "text";
  readonly body: string;
  /** True in a section about updates: the sample's delta is applied. */
  readonly isUpdated: boolean;
}

/** Lists blocks of one `curl` command that precede a block of its response. */
function examplesIn(markdown: string): Example[] {
  return markdown.split(/^## /m).flatMap((section) =>
    examplesInSection(section, section.includes("MODE=update"))
  );
}

function examplesInSection(section: string, isUpdated: boolean): Example[] {
  const blocks = /^```sh\n(curl [^]*?)\n```\n\n```(json|text)\n([^]*?)\n```$/gm;
  return [...section.matchAll(blocks)].map(([, command, type, body]) => ({
    command: command!.replaceAll("\\\n", " "),
    type: type as Example["type"],
    body: body!,
    isUpdated,
  }));
}

/** Words of a command line, without the quotes around them. */
function wordsOf(command: string): string[] {
  const words = command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g);
  return [...words].map(([, single, double, plain]) =>
    single ?? double ?? plain!
  );
}

/** Converts a `curl` command into its request. */
function requestOf(command: string): Request {
  const [, ...words] = wordsOf(command);
  const headers = new Headers();
  let method: string | undefined;
  let body: string | undefined;
  let url: string | undefined;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "-s") continue;
    if (word === "-X") method = words[++i]!;
    else if (word === "-d" || word === "--data-binary") {
      body = words[++i]!;
    } else if (word === "-H") {
      const [name, value] = words[++i]!.split(/:\s*/, 2);
      headers.set(name!, value!);
    } else {
      assertEquals(url, undefined, `one URL in ${command}`);
      url = word;
    }
  }
  return new Request(`http://${url}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** Service of the sample. */
async function open(isUpdated: boolean) {
  const store = await openStore({ path: ":memory:" });
  await seed({ directory: SAMPLE, cnefe: SAMPLE_CNEFE, store });
  if (isUpdated) {
    const now = () => Date.parse("2026-01-30T12:00:00Z");
    await update({ directory: SAMPLE_DELTA, store, now });
  }
  return createHandler({ store, config: { rateLimit: false } });
}

const base = await open(false);
const updated = await open(true);

for (const path of Object.values(CEP_DOCUMENTS).flat()) {
  for (const { command, type, body, isUpdated } of examplesIn(readText(path))) {
    Deno.test(`${path} shows the response to ${command}`, async () => {
      const handler = isUpdated ? updated : base;
      const response = await handler(requestOf(command));
      const text = await response.text();
      if (type === "text") assertEquals(text.trimEnd(), body);
      else assertEquals(JSON.parse(text), JSON.parse(body));
    });
  }
}

Deno.test("the documentation of cep shows the same requests and responses in both languages", () => {
  const [en, pt] = Object.values(CEP_DOCUMENTS)
    .map((paths) => paths.flatMap((path) => examplesIn(readText(path))));
  assert(en!.length > 0);
  assertEquals(pt, en);
});
