/**
 * Server of `node:http` on `API_PORT` that sends one response of the service,
 * from the URL of its argument, to every request, as plainly as Node can.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import process from "node:process";

const answer = await fetch(process.argv[2], {
  // By default, fetch accepts compressed responses.
  headers: { "accept-encoding": "identity" },
});
const body = Buffer.from(await answer.arrayBuffer());
/** Node adds these. */
const added = ["connection", "keep-alive"];
const headers = Object.fromEntries(
  [...answer.headers].filter(([name]) => !added.includes(name)),
);

createServer((_, outgoing) => outgoing.writeHead(200, headers).end(body))
  .listen(Number(process.env.API_PORT), "127.0.0.1");
