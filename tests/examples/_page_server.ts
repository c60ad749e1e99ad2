/** Web server for static files on loopback. */
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
};

/** Serves the files of a folder. */
export class PageServer implements AsyncDisposable {
  /** URL of the page. */
  readonly url: URL;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(folder: string) {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async ({ url }) => {
        const { pathname } = new URL(url);
        const name = pathname === "/" ? "index.html" : pathname.slice(1);
        const type = TYPES[extname(name)];
        if (type === undefined) return new Response(null, { status: 404 });
        const body = new Uint8Array(await readFile(join(folder, name)));
        return new Response(body, { headers: { "content-type": type } });
      },
    );
    this.url = new URL(`http://127.0.0.1:${this.#server.addr.port}/`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.shutdown();
  }
}
