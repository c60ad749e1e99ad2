/**
 * `GET /debug/…`: what the database holds.
 *
 * @module
 */
import type { Store } from "../store/store.ts";
import { HttpError } from "./errors.ts";
import { json, type Route } from "./exchange.ts";
import { requireRelease } from "./require_release.ts";

/** Records that a list shows at most. */
const LIST_LIMIT = 100;

const PREFIX = /^(?:\d{1,5}|\d{5}-?\d{0,3})$/;

/** The list of a prefix, the count and the statistics. */
export function debug(store: Store): Route[] {
  return [
    {
      pattern: "/debug/list",
      async handle({ query }) {
        const prefix = new URLSearchParams(query).get("prefix") ?? "";
        if (!PREFIX.test(prefix)) throw new HttpError("prefix_invalid");
        await requireRelease(store);
        return json(await store.list(prefix.replace("-", ""), LIST_LIMIT));
      },
    },
    {
      pattern: "/debug/count",
      async handle() {
        const { totalCeps } = await requireRelease(store);
        return json({ total_ceps: totalCeps });
      },
    },
    {
      pattern: "/debug/stats",
      async handle() {
        const { totalCeps, totalByState } = await requireRelease(store);
        return json({ total_ceps: totalCeps, por_uf: totalByState });
      },
    },
  ];
}
