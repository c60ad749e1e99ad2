/**
 * Server of `node:http` on `API_PORT` that sends the responses of the service,
 * from the file of a `Replay` (bare_server.ts), as plainly as Node can.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";

const { headers, bodies } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const byPath = new Map(bodies);
/** Node adds these. */
const added = ["connection", "keep-alive"];
const sent = Object.fromEntries(
  headers.filter(([name]) => !added.includes(name)),
);

createServer(({ url }, outgoing) => {
  const body = byPath.get(url);
  const length = Buffer.byteLength(body);
  outgoing.writeHead(200, { ...sent, "content-length": length }).end(body);
}).listen(Number(process.env.API_PORT), "127.0.0.1");
