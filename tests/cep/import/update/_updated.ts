/** Database of the small DNE, and updates of it. */
import type {
  DeltaFileReport,
  UpdateOptions,
  UpdateReport,
} from "../../../../cep/import/update/update.ts";
import type { Store } from "../../../../cep/store/mod.ts";
import { deltaLine, updateFiles } from "../../_delta.ts";
import { type Files, line } from "../../_directory.ts";
import { CapturingLogger } from "../../_logger.ts";
import { ReleaseFolder } from "../../_release_folder.ts";
import { seedFiles } from "../../_seeding.ts";
import { OpenedStore } from "../../_stores.ts";

/** File of streets in a delta. */
export const STREETS = "DELTA_LOG_LOGRADOURO.TXT";

/** File of localities in a delta. */
export const PLACES = "DELTA_LOG_LOCALIDADE.TXT";

/** Street 2 of the small DNE. */
export const STREET = {
  LOG_NU: "2",
  LOG_NO: "das Flores",
  LOG_COMPLEMENTO: "- de 1 a 99 - lado ímpar",
  CEP: "01900001",
} as const;

/** Returns a line about street 2 with some fields replaced. */
export function street(
  operation: "INS" | "UPD" | "DEL",
  fields: Parameters<typeof deltaLine<"LOG_LOGRADOURO">>[2] = {},
  previous?: string,
): string {
  return deltaLine(
    "LOG_LOGRADOURO",
    operation,
    { ...STREET, ...fields },
    previous,
  );
}

/** Database of the small DNE, with sections of streets. */
export class Scene implements AsyncDisposable {
  /** Log of the updates. */
  readonly log: CapturingLogger = new CapturingLogger();

  private constructor(
    readonly folder: ReleaseFolder,
    readonly opened: OpenedStore,
  ) {}

  /** Imports version 25011 of the small DNE. */
  static async open(files: Files = {}): Promise<Scene> {
    const folder = new ReleaseFolder();
    const all = {
      "LOG_NUM_SEC.TXT": [line("LOG_NUM_SEC")],
      "LOG_VAR_LOG.TXT": [line("LOG_VAR_LOG")],
      "LOG_FAIXA_LOCALIDADE.TXT": [line("LOG_FAIXA_LOCALIDADE")],
      ...files,
    };
    await folder.prepare(
      JSON.stringify(files),
      (store) => seedFiles(store, all, { dneVersion: "25011" }),
    );
    const opened = await OpenedStore.open({ path: folder.path });
    return new Scene(folder, opened);
  }

  get store(): Store {
    return this.opened.store;
  }

  /** Applies a delta with the default limits. */
  update(
    files: Files,
    options: Partial<UpdateOptions> = {},
  ): Promise<UpdateReport> {
    return updateFiles(this.store, files, {
      logger: this.log,
      dneVersion: "25012",
      ...options,
    });
  }

  /** Applies lines that need not fit, and returns the counts. */
  async apply(
    files: Files,
    options: Partial<UpdateOptions> = {},
  ): Promise<readonly DeltaFileReport[]> {
    const { files: reports } = await this.update(files, {
      maxRejectedPercent: 100,
      maxDanglingPercent: 100,
      maxShrinkPercent: 100,
      ...options,
    });
    return reports;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.opened[Symbol.asyncDispose]();
    this.folder[Symbol.dispose]();
  }
}
