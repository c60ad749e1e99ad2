/**
 * `GET /healthcheck` and `GET /livez`: readiness and liveness.
 *
 * @module
 */
import type { Build } from "../../build.ts";
import type { Reader, Release } from "../../store/store.ts";
import { describeError } from "../errors.ts";
import { type Endpoint, json, type Route } from "../exchange.ts";
import {
  integer,
  jsonContent,
  object,
  oneOfStrings,
  type Properties,
  STRING,
} from "../open_api/schema.ts";

const BUILD: Properties = { version: STRING, commit: STRING, repo: STRING };

/** Readiness: 200 if lookups can be answered. */
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
      content: jsonContent(object({
        status: oneOfStrings("ok"),
        ...BUILD,
        data: object({
          total_ceps: integer(),
          seeded_at: { type: "string", format: "date-time" },
          dne_version: STRING,
        }),
      })),
    },
    503: {
      en: "the database is empty or unreadable",
      pt: "o banco está vazio, corrompido ou indisponível",
      content: jsonContent(object({
        status: oneOfStrings("empty", "unreadable"),
        error: STRING,
        code: oneOfStrings("database_not_ready"),
        ...BUILD,
      })),
    },
  },
  errors: [],
};

/** Liveness: 200 while the process responds. */
export const LIVEZ: Endpoint = {
  pattern: "/livez",
  free: true,
  summary: {
    en: "200 while the process responds, whatever the state of the database",
    pt: "200 enquanto o processo responder, seja qual for o estado do banco",
  },
  parameters: [],
  answers: {
    200: {
      en: "the process responds",
      pt: "o processo responde",
      content: jsonContent(object({ status: oneOfStrings("ok") })),
    },
  },
  errors: [],
};

/** Options of {@linkcode health}. */
export interface HealthOptions {
  /** Store of the records. */
  readonly store: Pick<Reader, "release" | "list">;
  /** Running build. */
  readonly build: Build;
}

/** Creates the routes of the probes. */
export function health({ store, build }: HealthOptions): Route[] {
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
    // The release itself is in memory; a list is read from the file.
    await store.list("", 1);
    return release;
  } catch {
    return "unreadable";
  }
}
