import { isIP } from "node:net";

/**
 * Parses an address.
 *
 * @returns Four numbers of 8 bits, or eight of 16 bits for IPv6; `undefined`
 * for any other text.
 */
export function parseAddress(text: string): readonly number[] | undefined {
  switch (isIP(text)) {
    case 4:
      return text.split(".").map(Number);
    case 6:
      return parseGroups(text);
    default:
      return undefined;
  }
}

function parseGroups(text: string): number[] {
  const [address = ""] = text.split("%", 1); // without a zone
  const [head = "", tail] = address.split("::");
  const groups = readGroups(head);
  if (tail === undefined) return groups;
  const after = readGroups(tail);
  while (groups.length + after.length < 8) groups.push(0);
  return [...groups, ...after];
}

function readGroups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return parseInt(group, 16);
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [a << 8 | b, c << 8 | d];
  });
}

/** Set of addresses and networks such as `10.0.0.0/8`. */
export class Networks {
  readonly #networks: readonly Network[];

  /** @throws {TypeError} If an item is not an address or a network. */
  constructor(items: readonly string[]) {
    this.#networks = items.map(parseNetwork);
  }

  /** True if the address is in the set or in one of its networks. */
  includes(address: string): boolean {
    const parts = parseAddress(address);
    return parts !== undefined &&
      this.#networks.some((network) => contains(network, parts));
  }
}

interface Network {
  readonly parts: readonly number[];
  /** Length of the prefix. */
  readonly bits: number;
}

function parseNetwork(item: string): Network {
  const [address = "", bits] = item.split("/");
  const parts = parseAddress(address);
  if (parts === undefined) {
    throw new TypeError(`Cannot read the network "${item}": not an address`);
  }
  return { parts, bits: bits === undefined ? Infinity : Number(bits) };
}

function contains(network: Network, parts: readonly number[]): boolean {
  if (network.parts.length !== parts.length) return false;
  const width = parts.length === 4 ? 8 : 16;
  for (let i = 0; i < parts.length; i++) {
    const bits = network.bits - i * width;
    if (bits <= 0) return true;
    const ignored = Math.max(0, width - bits);
    if (network.parts[i]! >> ignored !== parts[i]! >> ignored) return false;
  }
  return true;
}
