/**
 * `GET /healthcheck` and `GET /livez`: whether the service can answer, and
 * whether it runs.
 *
 * @module
 */
import type { Build } from "../../build.ts";
import type { Reader, Release } from "../../store/store.ts";
import { describeError } from "../errors.ts";
import { type Endpoint, json, type Route } from "../exchange.ts";

/** Readiness: 200 if the service can answer. */
export const HEALTHCHECK: Endpoint = {
  pattern: "/healthcheck",
  free: true,
  summary: {
    en:
      "version and data of the service; 503 while the database is empty or unreadable",
    pt:
      "versão e dados do serviço; 503 com o banco vazio, corrompido ou indisponível",
  },
  parameters: [],
  answers: {
    200: {
      en: "version and data of the service",
      pt: "versão e dados do serviço",
    },
  },
  errors: ["database_not_ready"],
};

/** Liveness: 200 while the process runs. */
export const LIVEZ: Endpoint = {
  pattern: "/livez",
  free: true,
  summary: {
    en: "200 as long as the process answers, whatever the database does",
    pt: "200 enquanto o processo responder, seja qual for o estado do banco",
  },
  parameters: [],
  answers: {
    200: { en: "the process answers", pt: "o processo responde" },
  },
  errors: [],
};

/** The routes for whatever watches over the service. */
export function health(
  store: Pick<Reader, "release" | "list">,
  build: Build,
): Route[] {
  return [
    {
      ...HEALTHCHECK,
      async handle() {
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
    },
    {
      ...LIVEZ,
      handle: () => json({ status: "ok" }),
    },
  ];
}

async function releaseOf(
  store: Pick<Reader, "release" | "list">,
): Promise<Release | "empty" | "unreadable"> {
  try {
    const release = await store.release();
    if (release === undefined) return "empty";
    // What the release holds is known from its start; this reads the file.
    await store.list("", 1);
    return release;
  } catch {
    return "unreadable";
  }
}
