/**
 * `GET /healthcheck` and `GET /livez`: readiness and liveness.
 */
import type { Build } from "../../build.ts";
import { releaseName } from "../../release/release.ts";
import type { Reader, Release } from "../../store/store.ts";
import { describeError } from "../errors.ts";
import { type Endpoint, json, type Route } from "../exchange.ts";
import { creditOf } from "../sources.ts";
import {
  array,
  described,
  integer,
  jsonContent,
  nullable,
  object,
  oneOfStrings,
  type Properties,
  type Schema,
  STRING,
} from "../open_api/schema.ts";

const TIME: Schema = { type: "string", format: "date-time" };
const BUILD: Properties = { version: STRING, commit: STRING, repo: STRING };

/** Readiness: 200 if lookups can be answered. */
export const HEALTHCHECK: Endpoint = {
  id: "getHealth",
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
        status: described({
          en:
            "`degraded` if parts of the data are missing: CEPs are answered, but see `missing_parts`",
          pt:
            "`degraded` se faltam partes dos dados: os CEPs são respondidos, " +
            "mas veja `missing_parts`",
        }, oneOfStrings("ok", "degraded")),
        ...BUILD,
        data: object({
          total_ceps: integer(),
          seeded_at: TIME,
          dne_version: STRING,
          release: described({
            en: "identifier of the data",
            pt: "identificador da base",
          }, STRING),
          sources: described({
            en: "sources of the data",
            pt: "fontes dos dados",
          }, array(oneOfStrings("dne", "cnefe"))),
        }, {
          credit: described({
            en:
              "credit due to the source, to be shown with the data; only with data of the CNEFE",
            pt:
              "crédito devido à fonte, a mostrar onde os dados aparecem; só com " +
              "dados do CNEFE",
          }, STRING),
          synced_at: described({
            en:
              "last comparison with the database or address that these data follow; absent if they follow none",
            pt: "última comparação com o banco ou o endereço que estes dados " +
              "acompanham; ausente se não acompanham nenhum",
          }, nullable(TIME)),
          missing_parts: described({
            en:
              "damaged parts: without `search`, searches answer 503; without `points`, `/proximos` does; without `snapshot`, records are read from the disk",
            pt:
              "partes danificadas: sem `search`, as buscas respondem 503; sem " +
              "`points`, `/proximos`; sem `snapshot`, os registros são lidos " +
              "do disco",
          }, array(oneOfStrings("snapshot", "search", "points"))),
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
        docs: STRING,
        ...BUILD,
      })),
    },
  },
  errors: [],
};

/** Liveness: 200 while the process responds. */
export const LIVEZ: Endpoint = {
  id: "getLiveness",
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

/** Part of a store that the probes read. */
type HealthStore = Pick<
  Reader,
  "release" | "list" | "check" | "freshness" | "missingParts"
>;

/** Options of {@linkcode health}. */
export interface HealthOptions {
  /** Store of the records. */
  readonly store: HealthStore;
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
        const freshness = store.freshness?.();
        const missing = store.missingParts?.() ?? [];
        const credit = creditOf(found.sources);
        return json({
          status: missing.length === 0 ? "ok" : "degraded",
          ...build,
          data: {
            total_ceps: found.totalCeps,
            seeded_at: found.seededAt,
            dne_version: found.dneVersion,
            release: releaseName(found),
            sources: found.sources,
            ...(credit !== undefined && { credit }),
            ...(freshness && { synced_at: freshness.syncedAt }),
            ...(missing.length > 0 && { missing_parts: missing }),
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
  store: HealthStore,
): Promise<Release | "empty" | "unreadable"> {
  try {
    const release = await store.release();
    if (release === undefined) return "empty";
    // The release itself is in memory; a list is read from the file.
    await (store.check?.() ?? store.list("", 1));
    return release;
  } catch {
    return "unreadable";
  }
}
