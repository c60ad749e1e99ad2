/** Servers that do not answer as they should. */
import { assertEquals, assertMatch } from "@std/assert";
import { type Misbehave, redirect, respond } from "./_release_server.ts";
import { Scene } from "./_scene.ts";

const OLD = "01310100";
const NEW = "20040002";

const TRICKLE: Misbehave = (response, content) => {
  response.writeHead(200, { "content-length": content.length });
  let i = 0;
  const timer = setInterval(
    () => response.write(content.subarray(i, ++i)),
    20,
  );
  response.once("close", () => clearInterval(timer));
};

/** Answers of a server that end too late, in place of a file. */
const STALLS: readonly (readonly [name: string, fault: Misbehave])[] = [
  ["hangs before its response", () => {}],
  [
    "hangs after its headers",
    (response, content) => {
      response.writeHead(200, { "content-length": content.length });
      response.flushHeaders();
    },
  ],
  ["trickles", TRICKLE],
];

/** Other answers of a server in place of a file, with the reason. */
const FAULTS: readonly (readonly [
  name: string,
  fault: Misbehave,
  error: RegExp,
])[] = [
  ["closes the connection", (response) => void response.destroy(), /./],
  [
    "closes the connection within the body",
    (response, content) => {
      response.writeHead(200, { "content-length": content.length });
      response.write(
        content.subarray(0, content.length / 2),
        () => response.destroy(),
      );
    },
    /./,
  ],
  ["responds with 404", respond(404), /status 404/],
  ["responds with 403", respond(403), /status 403/],
  ["responds with 503", respond(503), /status 503/],
  ["responds with 206", respond(206), /status 206/],
  ["responds with 204", respond(204), /status 204/],
  ["sends nothing", respond(200), /./],
  [
    "sends an endless body",
    (response) => {
      const chunk = new Uint8Array(65_536);
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", write);
      write();
    },
    /more than/,
  ],
  [
    "sends a page",
    (response) => void response.end("<!doctype html>"),
    /not JSON|manifest says|less than/,
  ],
  [
    "only claims to compress",
    (response, content) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(content);
    },
    /./,
  ],
  ["redirects to a file", redirect("file:///etc/passwd"), /not allowed/],
  ["redirects to plain HTTP", redirect("http://192.0.2.1/"), /not allowed/],
  ["redirects to data", redirect("data:text/plain,x"), /not allowed/],
  ["redirects with a password", redirect("https://a:b@x.test"), /not allowed/],
  ["redirects to nothing", (it) => void it.writeHead(302).end(), /not allowed/],
  ["redirects to itself", redirect("?"), /redirects more than 5 times/],
];

const STALLED = /made no progress for 0.5 seconds/;

for (
  const [name, fault, error] of [
    ...STALLS.map((it) => [...it, STALLED] as const),
    ...FAULTS,
  ]
) {
  for (const which of ["manifest", "release file"]) {
    Deno.test(`Follower keeps its release if the server ${name} in place of the ${which}, and recovers`, async () => {
      // On a busy machine, an answer that ends may take as long as a stall.
      const stallMs = error === STALLED ? 500 : 60_000;
      await using scene = await Scene.open({ stallMs });
      const { follower, publisher, server } = scene;
      await publisher.publish(OLD);
      await scene.sync();
      const { file } = await publisher.publish(NEW);
      const target = which === "manifest" ? "manifest.json" : file;
      server.faults.set(target, fault);
      await follower.poll();
      const reason = follower.freshness().error!;
      assertMatch(reason, error);
      assertMatch(
        reason,
        which === "manifest"
          ? /^Cannot read the manifest: /
          : /release-\w+\.db: /,
      );
      assertEquals(await scene.ceps(), [OLD]);
      server.faults.clear();
      await scene.sync();
      assertEquals(await scene.ceps(), [NEW]);
      assertEquals(scene.names(), ["cep.db"]);
      assertEquals(follower.freshness().error, undefined);
    });
  }
}
