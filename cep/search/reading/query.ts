import type { AddressParts } from "../../record/address_parts.ts";
import type { Field, Token } from "./tokens.ts";
import type { Forms } from "./vocabulary.ts";

/** Address as it was given. */
export interface GivenAddress {
  /** Free text, `""` if all parts are known. */
  readonly text: string;
  /** Parts that are known. */
  readonly parts?: Partial<AddressParts> | undefined;
  /** True if the last word of the text may be incomplete. */
  readonly isTyped?: boolean;
  /** True for a CEP that a record may have. */
  readonly isPossibleCep?: (cep: string) => boolean;
}

/** Words of an address. Masks have the bit `1 << i` for the token `i`. */
export interface Query {
  readonly tokens: readonly Token[];
  readonly forms: readonly Forms[];
  /** Text of each field, in which the positions of the tokens are. */
  readonly texts: Readonly<Record<Field, string>>;
  /** Tokens of each field. */
  readonly fields: Readonly<Record<Field, number>>;
  /** Street types. */
  readonly types: number;
  /** Labels of units, and what follows them. */
  readonly units: number;
  /** Label of the unit before each token, -1 without one. */
  readonly labels: readonly number[];
  /** Numbers after a mark such as `nº`. */
  readonly marked: number;
  /** Names of buildings, which no record has. */
  readonly buildings: number;
  /** Words that belong to no name. */
  readonly fillers: number;
  /** Tokens of figures. */
  readonly figures: number;
  /** Single letters. */
  readonly letters: number;
  /** Numerals before street types: `2ª Travessa`. */
  readonly ordinals: number;
  /** Words near the address, not in it: `perto da Rua Sete`. */
  readonly references: number;
  /** Words after street types, which are those of the street. */
  readonly afterTypes: number;
  /** Tokens of the segment that names the street. */
  readonly head: number;
  /** Tokens of the state. */
  readonly stateTokens: number;
  /** Abbreviation of the state, `""` if none is given. */
  readonly uf: string;
  /** Eight digits, `""` if none is given. */
  readonly cep: string;
  /** True for `s/n`. */
  readonly hasNoNumber: boolean;
}
