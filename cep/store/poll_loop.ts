/**
 * Polls after each pause, until it is stopped. The pauses are random, so that
 * instances that were started together do not poll together.
 *
 * @param pauseMs Returns the milliseconds until the next poll, on average.
 * @returns A function that ends the polls, but not the one in progress.
 */
export function startPolling(
  poll: () => Promise<void>,
  pauseMs: () => number,
): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isStopped = false;
  const schedule = () => {
    if (isStopped) return;
    const pause = pauseMs() * (0.8 + 0.4 * Math.random());
    timer = setTimeout(() => poll().finally(schedule), pause);
    // It must not keep the process alive. Not every runtime has timers that do.
    (timer as { unref?: () => void }).unref?.();
  };
  schedule();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
