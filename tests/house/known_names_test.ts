/** Names that oauth2 checks at run time, compared with its interfaces. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Client, type ClientOptions } from "@carteiro/oauth2";
import { readText } from "./_repository.ts";

/** Returns the names of the members of an interface, read from its source. */
function membersOf(file: string, name: string): string[] {
  const source = readText(`oauth2/${file}`);
  const start = source.indexOf(`export interface ${name}`);
  const body = source.slice(start, source.indexOf("\n}\n", start));
  return [...body.matchAll(/^ {2}(\w+)\?:/gm)].map(([, member]) => member!);
}

const options = membersOf("client_options.ts", "ClientOptions");
const params = membersOf("call_params.ts", "WireParams");
const callOptions = membersOf("request.ts", "CallOptions");

Deno.test("membersOf finds the members of each interface", () => {
  assertEquals(options.includes("raiseErrors"), true);
  assertEquals(params.includes("redirect_uri"), true);
  assertEquals(callOptions.includes("timeout"), true);
});

Deno.test("Client refuses every option in upper case", () => {
  for (const name of options) {
    const misspelled = { [name.toUpperCase()]: 1 } as ClientOptions;
    assertThrows(() => new Client("a", "b", misspelled), TypeError, name);
  }
});

Deno.test("getToken refuses every parameter and option in upper case", async () => {
  const client = new Client("a", "b", { site: "https://x.example" });
  for (const name of [...params, ...callOptions, "tokenMethod"]) {
    const misspelled = { [name.toUpperCase()]: 1 };
    await assertRejects(() => client.getToken(misspelled), TypeError, name);
  }
});
