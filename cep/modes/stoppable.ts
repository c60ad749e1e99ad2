import { constants } from "node:os";
import { StopSignal, type StopSignalName } from "../serve/serve.ts";

/** Error of a mode that was stopped by a signal. */
export class StoppedError extends Error {
  /** Always `StoppedError`. */
  override readonly name = "StoppedError";

  /** Creates the error of a signal. */
  constructor(
    /** Name of the signal. */
    readonly signal: StopSignalName,
  ) {
    super(`stopped by ${signal}`);
  }

  /** Exit code of a program that a signal has ended. */
  get exitCode(): number {
    return 128 + constants.signals[this.signal];
  }
}

/**
 * Runs an action that SIGTERM and SIGINT abort. A second signal ends the process
 * at once.
 *
 * @throws {StoppedError} If a signal has aborted it.
 */
export async function stoppable<T>(
  action: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const received = new StopSignal();
  received.received.then((name) => {
    received.unregister();
    stop.abort(new StoppedError(name));
  });
  try {
    return await action(stop.signal);
  } catch (error) {
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    received.unregister();
  }
}
