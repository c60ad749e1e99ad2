/** Expressions of the alerts and the dashboard. */
import { readYaml } from "./_files.ts";

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly runbook_url: string };
    }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
  readonly annotations: {
    readonly list: readonly {
      readonly name: string;
      readonly target: { readonly expr: string };
    }[];
  };
}

/** Expression, with the alert, panel or annotation that it belongs to. */
export type Expression = readonly [owner: string, expression: string];

/** Rules of the alerts. */
export const RULES = readYaml<Rules>("prometheus/rules.yml").groups
  .flatMap(({ rules }) => rules);

/** Expressions of the alerts. */
export const ALERTS: readonly Expression[] = RULES
  .map(({ alert, expr }) => [`alert ${alert}`, expr] as const);

const { panels, annotations } = readYaml<Dashboard>(
  "grafana/dashboards/carteiro-cep.json",
);

/** Expressions of the dashboard, with values for the variables of Grafana. */
export const DASHBOARD: readonly Expression[] = [
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }, i) => [`panel "${title}" ${i + 1}`, expr] as const)
  ),
  ...annotations.list
    .map(({ name, target }) => [`annotation "${name}"`, target.expr] as const),
].map(([owner, expression]) => [
  owner,
  expression.replaceAll(/\$__(rate_)?interval/g, "1m")
    .replaceAll("$job", "cep").replaceAll("$instance", ".*"),
]);
