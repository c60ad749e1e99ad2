import type { Session } from "./session.ts";

/** Cases by their names, which are the rows of the table. */
export type Cases = Readonly<
  Record<string, (session: Session) => Promise<void>>
>;
