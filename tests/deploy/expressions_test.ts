/**
 * Expressions of alerts and dashboard, compared with the metrics of a service.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CEP } from "../../cep/http/routes/lookup.ts";
import { ROOT } from "../../scripts/root.ts";
import { address } from "../cep/_records.ts";
import { Service } from "../cep/_service.ts";
import { ALERTS, DASHBOARD, RULES } from "./_expressions.ts";

/** Labels that scraping adds. */
const SCRAPED = ["job", "instance"];

/** Reads the metrics of a service: the labels of each sample. */
async function readMetrics(): Promise<Map<string, string[]>> {
  await using service = await Service.open({ records: [address()] });
  await service.ask("/cep/01900001");
  const text = await (await service.ask("/metrics")).text();
  const samples = text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm);
  return new Map([
    // Created by Prometheus.
    ["up", []],
    ...[...samples].map(([, name, labels = ""]): [string, string[]] => [
      name!,
      [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label!),
    ]),
  ]);
}

const metrics = await readMetrics();

for (const [owner, expression] of [...ALERTS, ...DASHBOARD]) {
  Deno.test(`${owner} queries existing metrics and labels`, () => {
    const selectors = [...expression.matchAll(/(\w+)\{([^}]*)\}/g)];
    assert(selectors.length > 0);
    for (const [, name, matchers] of selectors) {
      assert(metrics.has(name!), name);
      const known = [...metrics.get(name!) ?? [], ...SCRAPED];
      const used = [...matchers!.matchAll(/(\w+)(?:=|!)/g)]
        .map(([, label]) => label!);
      assertEquals(used.filter((it) => !known.includes(it)), [], name);
    }
    const [, grouped = ""] = /by \(([^)]*)\)/.exec(expression) ?? [];
    const all = [...[...metrics.values()].flat(), ...SCRAPED];
    const labels = grouped.match(/\w+/g) ?? [];
    assertEquals(labels.filter((it) => !all.includes(it)), []);
    const routes = [...expression.matchAll(/route="([^"]*)"/g)]
      .map(([, route]) => route);
    assertEquals(routes.filter((it) => it !== CEP.pattern), []);
  });
}

Deno.test("promtool tests every alert", () => {
  const tests = ["alerts.yaml", "alert_of_age.yaml"]
    .map((file) => Deno.readTextFileSync(new URL(file, import.meta.url)))
    .join();
  const names = ALERTS.map(([owner]) => owner.replace("alert ", ""));
  const fires = (name: string) => tests.includes(`name: ${name} fires`);
  assertEquals(names.filter((name) => !fires(name)), []);
});

Deno.test("every alert links to its section of the runbook", () => {
  for (const { alert, annotations } of RULES) {
    const [page, section] = annotations.runbook_url.split("/docs/").at(-1)!
      .split("#");
    const text = Deno.readTextFileSync(`${ROOT}docs/${page}`);
    assertEquals(section, alert.toLowerCase());
    assertStringIncludes(text, `\n## ${alert}\n`);
  }
});
