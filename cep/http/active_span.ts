/** Part of a span of OpenTelemetry. */
export interface Span {
  /** Replaces the name. */
  updateName(name: string): unknown;
  /** Sets an attribute. */
  setAttribute(name: string, value: string): unknown;
}

/** Part of the registry of `@opentelemetry/api` 1. */
interface Registry {
  readonly context?: {
    active(): { getValue(key: symbol): unknown };
  };
}

const REGISTRY = Symbol.for("opentelemetry.js.api.1");
const SPAN = Symbol.for("OpenTelemetry Context Key SPAN");

/**
 * Returns the function that finds the active span, as
 * `trace.getActiveSpan` of `@opentelemetry/api` does, or `undefined` if
 * OpenTelemetry is off. Deno with `OTEL_DENO=true`, and the SDK on Node, put
 * themselves into a global registry, so that this needs no dependency.
 */
export function spanFinder(
  scope: object = globalThis,
): (() => Span | undefined) | undefined {
  const registry = (scope as Record<symbol, Registry | undefined>)[REGISTRY];
  const context = registry?.context;
  if (context === undefined) return undefined;
  return () => context.active().getValue(SPAN) as Span | undefined;
}
