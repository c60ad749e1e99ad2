/** Programs that use the library in a process of their own. */
import { moduleUrl } from "../program.ts";

/** A program that finds the library, and options whose `logger` fills `lines`. */
export function withClient(program: string): string {
  return `
    import { AccessToken, Client } from "${moduleUrl("oauth2/mod.ts")}";
    const lines = [];
    const logger = { debug: (line) => lines.push(line), warn() {} };
    const fetch = () => Promise.resolve(new Response("ok"));
    const options = { site: "https://api.example.com", logger, fetch };
    ${program}`;
}

/** A program that prints whether a request was logged. */
export const TELL_WHETHER_LOGGED = `
  const client = new Client("abc", "def", options);
  await client.request("get", "/from");
  console.log(lines.length > 0);
`;
