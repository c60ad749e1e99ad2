/** Content of the files of deploy/. */
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../../scripts/root.ts";

/** Path of the folder. */
export const DEPLOY: string = join(ROOT, "deploy");

/** Lists all files by their path in the folder. */
export function listFiles(folder = ""): string[] {
  return [...Deno.readDirSync(join(DEPLOY, folder))].flatMap((entry) => {
    const path = folder + entry.name;
    return entry.isDirectory ? listFiles(`${path}/`) : [path];
  }).sort();
}

/** Reads a file. */
export function readText(path: string): string {
  return Deno.readTextFileSync(join(DEPLOY, path));
}

/** Reads a file in YAML or JSON. */
export function readYaml<T>(path: string): T {
  return parse(readText(path), { merge: true });
}

/** Service of the Compose file. */
export interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly (string | { source: string; target: string })[];
  readonly tmpfs?: readonly string[];
  readonly stop_grace_period?: string;
}

/** Services of the Compose file. */
export const SERVICES: Readonly<Record<string, Service>> = readYaml<
  { services: Record<string, Service> }
>("compose.yaml").services;

/** Container of Kubernetes. */
export interface Container {
  readonly image: string;
  readonly env?: readonly { name: string; value: string }[];
  readonly ports?: readonly { name: string; containerPort: number }[];
  readonly lifecycle?: { preStop: { sleep: { seconds: number } } };
  readonly volumeMounts: readonly { name: string; mountPath: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string };
}

/** Pod of Kubernetes with its only container. */
export interface Pod {
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly [Container];
}

/** Pods of Kubernetes, by file. */
export const PODS: Readonly<Record<string, Pod>> = {
  "kubernetes/base/deployment.yaml": readYaml<{ spec: { template: Template } }>(
    "kubernetes/base/deployment.yaml",
  ).spec.template.spec,
  "kubernetes/import/cronjob.yaml": readYaml<
    { spec: { jobTemplate: { spec: { template: Template } } } }
  >("kubernetes/import/cronjob.yaml").spec.jobTemplate.spec.template.spec,
  "kubernetes/volume/upload.yaml": readYaml<Template>(
    "kubernetes/volume/upload.yaml",
  ).spec,
};

interface Template {
  readonly spec: Pod;
}

/** Finds the values of a name in lines such as `NAME value` or `NAME=value`. */
export function valuesOf(path: string, name: string): string[] {
  const lines = readText(path).matchAll(new RegExp(`^${name}[ =](.+)$`, "gm"));
  return [...lines].map(([, value]) => value!);
}
