/**
 * `GET /metrics`: metrics for Prometheus.
 */
import { type Endpoint, type Route, textBody } from "../exchange.ts";
import type { OtherFigures } from "../figures.ts";
import { textContent } from "../open_api/schema.ts";
import type {
  ServiceMetrics,
  ServiceMetricsOptions,
} from "../service_metrics.ts";

/** Sources of the metrics. */
export interface MetricsOptions extends ServiceMetricsOptions {
  /** Figures of other processes, which are added. */
  readonly others?: OtherFigures | undefined;
}

/** Metrics for Prometheus. */
export const METRICS: Endpoint = {
  id: "getMetrics",
  pattern: "/metrics",
  free: true,
  summary: { en: "metrics for Prometheus", pt: "métricas para o Prometheus" },
  parameters: [],
  answers: {
    200: {
      en: "metrics in the text format of Prometheus",
      pt: "métricas no formato de texto do Prometheus",
      content: textContent(),
    },
  },
  errors: [],
};

/** Creates the route of the metrics. */
export function metricsRoute({ others, ...options }: MetricsOptions): Route {
  let loading: Promise<ServiceMetrics> | undefined;
  // Imported on the first request: the library uses modules of Node that edge
  // runtimes lack.
  const load = () =>
    loading ??= import("../service_metrics.ts")
      .then(({ ServiceMetrics }) => new ServiceMetrics(options));
  others?.provide(async () => await (await load()).figures());
  return {
    ...METRICS,
    async handle() {
      const metrics = await load();
      const text = await metrics.text(others);
      return { status: 200, body: textBody(text, metrics.contentType) };
    },
  };
}
