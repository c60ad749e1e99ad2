import { join } from "node:path";
import { ROOT } from "../scripts/root.ts";

/** Folder of the bundled sample of the DNE. */
export const SAMPLE = join(ROOT, "samples", "dne");
