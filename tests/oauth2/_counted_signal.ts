/** Signals that count their listeners. */

/** Signal with its controller and the listeners that it has. */
export interface CountedSignal {
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  readonly listeners: ReadonlySet<unknown>;
}

/** Creates a signal that keeps track of its listeners. */
export function countedSignal(): CountedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  Object.defineProperties(signal, {
    addEventListener: {
      value: (...args: Parameters<typeof add>) => {
        listeners.add(args[1]);
        add(...args);
      },
    },
    removeEventListener: {
      value: (...args: Parameters<typeof remove>) => {
        listeners.delete(args[1]);
        remove(...args);
      },
    },
  });
  return { controller, signal, listeners };
}
