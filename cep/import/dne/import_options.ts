import type { Logger } from "../../util/logger.ts";
import type { Writer } from "../../store/store.ts";

/** Options of `seed` and `update`. */
export interface ImportOptions {
  /**
   * Version of the DNE, if it is not in LEIAME.TXT or in the name of the folder
   * or zip file.
   *
   * @default {""}
   */
  readonly dneVersion?: string;
  /** Database whose content is replaced. */
  readonly store: Writer;
  /**
   * Maximum percentage of rejected lines, per file.
   *
   * @default {1}
   */
  readonly maxRejectedPercent?: number;
  /**
   * Maximum percentage of lines that refer to an unknown locality,
   * neighbourhood or municipality, per file. With 100, the street file of a
   * state may be empty although the state has localities coded by street.
   *
   * @default {1}
   */
  readonly maxDanglingPercent?: number;
  /**
   * Maximum percentage of the current release's CEPs that are missing from the
   * new one, in total and per file. With 100, the new release may lack a source
   * of the current one.
   *
   * @default {5}
   */
  readonly maxShrinkPercent?: number;
  /**
   * Name of this import, shown if another one is started while it runs.
   *
   * @default {"unnamed"}
   */
  readonly holder?: string;
  /**
   * Logger of rejected lines.
   *
   * @default {LogTape's logger of the category carteiro, cep}
   */
  readonly logger?: Logger;
  /** Aborts the import; the current release stays in use. */
  readonly signal?: AbortSignal;
  /**
   * Returns the time in milliseconds.
   *
   * @default {Date.now}
   */
  readonly now?: () => number;
}
