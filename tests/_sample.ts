import { join } from "node:path";
import { ROOT } from "../scripts/root.ts";

/** Folder of the bundled sample of the DNE. */
export const SAMPLE = join(ROOT, "samples", "dne");

/** Folder of the bundled sample of the CNEFE. */
export const SAMPLE_CNEFE = join(ROOT, "samples", "cnefe");

/** Folder of the sample's delta. */
export const SAMPLE_DELTA = join(ROOT, "samples", "delta");
