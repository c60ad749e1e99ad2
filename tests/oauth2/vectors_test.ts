/** The conformance vectors, run against the library. */
import { VECTORS } from "./_vector_runner/files.ts";
import { runVector } from "./_vector_runner/run.ts";

for (const vector of VECTORS) {
  Deno.test(`${vector.id} ${vector.title}`, () => runVector(vector));
}
