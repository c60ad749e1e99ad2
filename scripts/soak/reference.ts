/**
 * Right answers: those of each release by itself, without load, sockets and
 * swaps. Their records are compared with those of the generator.
 */
import { createHandler } from "../../cep/http/handler.ts";
import { openStore, type Store } from "../../cep/store/mod.ts";
import type { Reply } from "./answer_judge.ts";
import type { Oracle } from "./oracle.ts";
import type { SoakRequest } from "./request.ts";

/** Pages of a list that are read. */
export const PAGES = 3;

type Handler = (request: Request) => Response | Promise<Response>;

/** Right answers of one release. */
export class Reference implements AsyncDisposable {
  readonly #store: Store;
  readonly #handler: Handler;
  readonly #replies = new Map<SoakRequest, readonly Reply[]>();

  private constructor(
    store: Store,
    /** Version of the DNE. */
    readonly version: string,
  ) {
    this.#store = store;
    this.#handler = createHandler({ store, config: { rateLimit: false } });
  }

  /** Opens the release in a folder. */
  static async open(path: string): Promise<Reference> {
    const store = await openStore({ path });
    return new Reference(store, (await store.release())!.dneVersion);
  }

  /** Computes the answers to requests. */
  async prepare(requests: Iterable<SoakRequest>): Promise<void> {
    for (const request of requests) {
      this.#replies.set(request, await this.#ask(request));
    }
  }

  async #ask(request: SoakRequest): Promise<Reply[]> {
    const pages: Reply[] = [];
    let path: string | undefined = request.path;
    while (path !== undefined && pages.length < PAGES) {
      const { method, headers, body = null } = request;
      const response: Response = await this.#handler(
        new Request(`http://localhost${path}`, { method, headers, body }),
      );
      const text = await response.text();
      pages.push(normalize({ status: response.status, body: text }));
      path = request.kind === "pages" ? nextPath(request, text) : undefined;
    }
    return pages;
  }

  /** Returns the right answer to a prepared request. */
  reply(request: SoakRequest, page = 0): Reply {
    return this.#replies.get(request)?.[page] ?? NO_REPLY;
  }

  /**
   * Compares the release with the rows of the generator.
   *
   * @param replaced CEPs that the release has lost, with their successors.
   * @returns Descriptions of the differences.
   */
  async compare(
    { records }: Oracle,
    replaced: ReadonlyMap<string, string | null>,
  ): Promise<string[]> {
    const differences: string[] = [];
    let count = 0;
    for await (const page of this.#store.scan()) {
      for (const record of page) {
        count++;
        const expected = JSON.stringify(records.get(record.cep));
        const found = JSON.stringify(record);
        if (found !== expected) {
          differences.push(`record ${found}, expected ${expected}`);
        }
      }
    }
    if (count !== records.size) {
      differences.push(`${count} records, expected ${records.size}`);
    }
    for (const [cep, successor] of replaced) {
      const last = (await this.#store.history(cep))?.last;
      if (last?.successor === successor) continue;
      differences.push(
        `successor ${last?.successor} of ${cep}, expected ${successor}`,
      );
    }
    return differences;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store.close();
  }
}

const NO_REPLY: Reply = { status: 0, body: "" };

/**
 * Replaces the parts of an answer that differ between two imports of the same
 * release: cursors and times.
 */
export function normalize({ status, body }: Reply): Reply {
  return {
    status,
    body: body
      .replace(/"cursor":"[\w-]+"/, '"cursor":"…"')
      .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"…"'),
  };
}

/** Returns the path of the page after one, `undefined` on the last one. */
export function nextPath(
  { path }: Pick<SoakRequest, "path">,
  body: string,
): string | undefined {
  const cursor = /"cursor":"([\w-]+)"/.exec(body)?.[1];
  if (cursor === undefined) return undefined;
  return `${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
}
