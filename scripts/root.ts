/** The root of the repository. */
import { fileURLToPath } from "node:url";

/** Its path, with a slash at the end. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));
