/** Programs that use the library in a process of their own. */
import { moduleUrl } from "../_program.ts";

/**
 * Prefixes a program with imports of the library, and with `options` of a
 * client whose logger fills `lines`.
 */
export function clientProgram(code: string): string {
  return `
    import { AccessToken, Client } from "${moduleUrl("oauth2/mod.ts")}";
    const lines = [];
    const logger = { debug: (line) => lines.push(line), warn() {} };
    const fetch = () => Promise.resolve(new Response("ok"));
    const options = { site: "https://api.example.com", logger, fetch };
    ${code}`;
}

/** Code that prints whether a request was logged. */
export const PRINT_WHETHER_LOGGED = `
  const client = new Client("abc", "def", options);
  await client.request("get", "/from");
  console.log(lines.length > 0);
`;
