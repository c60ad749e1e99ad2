/**
 * `GET /metrics`: metrics for Prometheus.
 */
import { type Endpoint, type Route, textBody } from "../exchange.ts";
import {
  addUp,
  FIGURES_TYPE,
  figuresText,
  type OtherFigures,
} from "../figures.ts";
import { textContent } from "../open_api/schema.ts";
import {
  serviceFigures,
  type ServiceMetricsOptions,
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
  others?.provide(() => serviceFigures(options));
  return {
    ...METRICS,
    async handle() {
      const own = await serviceFigures(options);
      const all = others ? addUp([own, ...await others.collect(own)]) : own;
      return { status: 200, body: textBody(figuresText(all), FIGURES_TYPE) };
    },
  };
}
