/** Storage of the authorization server, in memory. */

/** Record of the server. */
type Fields = Record<string, unknown>;

/** Records of the server, by model and id. */
export type Records = Map<string, Fields>;

/** Adapter of `oidc-provider` for the records of one model. */
export class Adapter {
  constructor(readonly model: string, readonly records: Records) {}

  upsert(id: string, payload: Fields): Promise<void> {
    this.records.set(`${this.model} ${id}`, { ...payload });
    return Promise.resolve();
  }

  find(id: string): Promise<Fields | undefined> {
    return Promise.resolve(this.records.get(`${this.model} ${id}`));
  }

  findByUid(uid: string): Promise<Fields | undefined> {
    const found = this.#own().find(([, record]) => record.uid === uid);
    return Promise.resolve(found?.[1]);
  }

  findByUserCode(userCode: string): Promise<Fields | undefined> {
    const found = this.#own().find(([, record]) =>
      record.userCode === userCode
    );
    return Promise.resolve(found?.[1]);
  }

  consume(id: string): Promise<void> {
    const record = this.records.get(`${this.model} ${id}`);
    if (record) record.consumed = Math.floor(Date.now() / 1000);
    return Promise.resolve();
  }

  destroy(id: string): Promise<void> {
    this.records.delete(`${this.model} ${id}`);
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, record] of this.#own()) {
      if (record.grantId === grantId) this.records.delete(key);
    }
    return Promise.resolve();
  }

  #own(): [string, Fields][] {
    return [...this.records].filter(([key]) =>
      key.startsWith(`${this.model} `)
    );
  }
}
