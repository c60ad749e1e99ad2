/**
 * The memory of another process.
 *
 * @module
 */

/** Memory in MB of a million bytes. */
export interface ProcessMemory {
  /** The most so far (VmHWM). */
  readonly peak: number;
  /** At present (VmRSS). */
  readonly resident: number;
}

/** Only Linux tells the peak of a process. */
export const CAN_READ_MEMORY = Deno.build.os === "linux";

/** The note of a section that cannot be measured elsewhere. */
export const NOT_MEASURED =
  "not measured: only Linux tells the peak of a process";

/** Reads the memory of a process, `undefined` if it has ended. */
export async function readMemory(
  pid: number,
): Promise<ProcessMemory | undefined> {
  let status: string;
  try {
    status = await Deno.readTextFile(`/proc/${pid}/status`);
  } catch {
    return undefined;
  }
  const peak = megabytes(status, "VmHWM");
  const resident = megabytes(status, "VmRSS");
  // A process that is about to end has neither.
  if (peak === undefined || resident === undefined) return undefined;
  return { peak, resident };
}

function megabytes(status: string, name: string): number | undefined {
  const [, kibibytes] = status.match(RegExp(`^${name}:\\s+(\\d+) kB$`, "m")) ??
    [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024 / 1e6;
}
