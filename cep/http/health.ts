/**
 * `GET /healthcheck`: whether the service can answer.
 *
 * @module
 */
import type { Build } from "../build.ts";
import type { Release, Store } from "../store/store.ts";
import { describeError } from "./errors.ts";
import { json, type Route } from "./exchange.ts";

/** The route that tells whether the service can answer. */
export function health(store: Store, build: Build): Route {
  return {
    pattern: "/healthcheck",
    free: true,
    async handle({ headers }) {
      headers["cache-control"] = "no-store";
      const found = await releaseOf(store);
      if (typeof found === "string") {
        const { status, body } = describeError("database_not_ready");
        return json({ status: found, ...body, ...build }, status);
      }
      return json({
        status: "ok",
        ...build,
        data: {
          total_ceps: found.totalCeps,
          seeded_at: found.seededAt,
          dne_version: found.dneVersion,
        },
      });
    },
  };
}

async function releaseOf(
  store: Store,
): Promise<Release | "empty" | "unreadable"> {
  try {
    return await store.release() ?? "empty";
  } catch {
    return "unreadable";
  }
}
