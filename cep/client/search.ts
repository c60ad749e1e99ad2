/** Search of addresses, with the parameters of `GET /busca`. */
export interface SearchQuery {
  /** Words in any order, the last of which may be incomplete; or a CEP. */
  readonly q: string;
  /** Abbreviation of the state. */
  readonly uf?: string | undefined;
  /** Municipality. */
  readonly cidade?: string | undefined;
  /** Neighbourhood. */
  readonly bairro?: string | undefined;
  /** Building number. */
  readonly numero?: string | number | undefined;
  /**
   * Number of results per page, at most 100.
   *
   * @default {10}
   */
  readonly limite?: number | undefined;
}

/** Query of one page. */
export interface SearchPageQuery extends SearchQuery {
  /** `cursor` of the previous page. */
  readonly cursor?: string | undefined;
}
