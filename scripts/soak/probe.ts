import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Memory and handles at one point in time. */
export interface Sample {
  /** Resident memory in MB (a million bytes). */
  readonly memory: number;
  /** Open file descriptors. */
  readonly descriptors: number;
  /** Sockets among them. */
  readonly sockets: number;
  /** Deleted files among them, such as replaced releases. */
  readonly deleted: number;
}

/** Figures of a {@linkcode Sample}. */
export const FIGURES = ["memory", "descriptors", "sockets", "deleted"] as const;

/**
 * Reads the figures of a process from `/proc`.
 *
 * @returns `undefined` on other systems than Linux.
 */
export function sampleProcess(
  pid: number,
  proc = "/proc",
): Sample | undefined {
  let names: string[];
  let status: string;
  try {
    names = readdirSync(`${proc}/${pid}/fd`);
    status = readFileSync(`${proc}/${pid}/status`, "utf8");
  } catch {
    return undefined;
  }
  const links = names.map((name) => linkOf(`${proc}/${pid}/fd/${name}`));
  const kibibytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return {
    memory: Number(kibibytes) * 1024 / 1e6,
    descriptors: links.length,
    sockets: links.filter((link) => link.startsWith("socket:")).length,
    deleted: links.filter((link) => link.endsWith(" (deleted)")).length,
  };
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // Closed in the meantime.
  }
}

/** Returns the lowest value of each figure. */
export function lowest(samples: readonly Sample[]): Sample {
  const of = (figure: keyof Sample) =>
    Math.min(...samples.map((sample) => sample[figure]));
  return {
    memory: of("memory"),
    descriptors: of("descriptors"),
    sockets: of("sockets"),
    deleted: of("deleted"),
  };
}
