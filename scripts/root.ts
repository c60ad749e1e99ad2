/** Root of the repository. */
import { fileURLToPath } from "node:url";

/** Path of the root, with a slash at the end. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));
