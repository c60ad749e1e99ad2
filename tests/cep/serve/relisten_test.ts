import { assertEquals, assertRejects } from "@std/assert";
import type {
  ListenOptions,
  RunningServer,
} from "../../../cep/serve/listen.ts";
import { relistening } from "../../../cep/serve/relisten.ts";

/** Server whose end the test decides. */
class FakeServer implements RunningServer {
  readonly address = { host: "127.0.0.1", port: 8080 };
  readonly end = Promise.withResolvers<void>();
  readonly finished = this.end.promise;
  readonly stopped = Promise.withResolvers<void>();
  isShutDown = false;

  shutdown(): Promise<void> {
    this.isShutDown = true;
    this.end.resolve();
    return this.stopped.promise;
  }
}

/** Function that listens on fake servers, and its calls. */
class Fakes {
  readonly servers: FakeServer[] = [];
  readonly ports: number[] = [];
  readonly errors: string[] = [];
  waits = 0;
  /** Called before each server is created. */
  refuse: (attempt: number) => boolean = () => false;
  #added = Promise.withResolvers<FakeServer>();

  listen = (it: ListenOptions): Promise<RunningServer> => {
    this.ports.push(it.port);
    if (this.refuse(this.ports.length)) {
      return Promise.reject(new Error("in use"));
    }
    const server = new FakeServer();
    this.servers.push(server);
    this.#added.resolve(server);
    this.#added = Promise.withResolvers();
    return Promise.resolve(server);
  };

  /** Waits for the next server. */
  get next(): Promise<FakeServer> {
    return this.#added.promise;
  }

  start(): Promise<RunningServer> {
    const listen = relistening(this.listen, {
      onFailure: (reason) => this.errors.push(reason),
      wait: () => {
        this.waits++;
        return Promise.resolve();
      },
    });
    return listen({
      handler: () => new Response(),
      host: "127.0.0.1",
      port: 0,
      onError() {},
    });
  }
}

Deno.test("relistening listens again on the same port after a failure to accept", async () => {
  const fakes = new Fakes();
  const server = await fakes.start();
  const [first] = fakes.servers;
  const next = fakes.next;
  first!.end.reject(new Error("Too many open files"));
  const second = await next;
  assertEquals(fakes.ports, [0, 8080]);
  assertEquals(first!.isShutDown, true);
  assertEquals(fakes.errors, ["Too many open files"]);
  assertEquals(second.isShutDown, false);
  first!.stopped.resolve();
  second.stopped.resolve();
  await server.shutdown();
  await server.finished;
});

Deno.test("relistening tries again while the port is in use", async () => {
  const fakes = new Fakes();
  fakes.refuse = (attempt) => attempt > 1 && attempt < 5;
  const server = await fakes.start();
  const next = fakes.next;
  fakes.servers[0]!.end.reject(new Error("Too many open files"));
  const second = await next;
  assertEquals(fakes.waits, 3);
  fakes.servers[0]!.stopped.resolve();
  second.stopped.resolve();
  await server.shutdown();
});

Deno.test("relistening fails after 50 attempts to listen again", async () => {
  const fakes = new Fakes();
  fakes.refuse = (attempt) => attempt > 1;
  const server = await fakes.start();
  fakes.servers[0]!.end.reject(new Error("Too many open files"));
  await assertRejects(() => server.finished, Error, "in use");
  assertEquals(fakes.ports.length, 51);
});

Deno.test("relistening waits on shutdown for the requests of the failed server", async () => {
  const fakes = new Fakes();
  const server = await fakes.start();
  const next = fakes.next;
  fakes.servers[0]!.end.reject(new Error("Too many open files"));
  const second = await next;
  let isDone = false;
  const done = server.shutdown().then(() => isDone = true);
  second.stopped.resolve();
  await Promise.resolve();
  assertEquals(isDone, false);
  fakes.servers[0]!.stopped.resolve();
  await done;
});

Deno.test("relistening ends when its server is shut down", async () => {
  const fakes = new Fakes();
  const server = await fakes.start();
  fakes.servers[0]!.stopped.resolve();
  await server.shutdown();
  await server.finished;
  assertEquals(fakes.ports, [0]);
  assertEquals(fakes.errors, []);
});
