/** Calls a function later; returns a function that cancels the call. */
export type Schedule = (callback: () => void, ms: number) => () => void;

/** Calls a function later by `setTimeout`. */
export const later: Schedule = (callback, ms) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
