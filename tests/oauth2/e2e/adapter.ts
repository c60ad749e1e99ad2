/** The memory of the authorization server. */

/** What the server stores of one thing. */
type Fields = Record<string, unknown>;

/** All that the server stores, by kind and name. */
export type Records = Map<string, Fields>;

/** What `oidc-provider` asks of a store, for one kind of thing. */
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
