import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Returns a port that nothing listens on, for a program that cannot choose one
 * itself. It is below those that systems give to the sockets of other tests,
 * which might take it before the program does.
 */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  while (true) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer().listen(port, host);
    try {
      await once(server, "listening");
    } catch {
      continue; // In use.
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
