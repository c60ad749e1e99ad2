/** Municipality, or village of a capital, with one CEP. */
export interface ShapeTown {
  readonly uf: string;
  readonly name: string;
  readonly type: "M" | "P";
}

/** Towns with the names of others. */
export const SHAPE_TOWNS: readonly ShapeTown[] = [
  { uf: "AP", name: "Fortaleza", type: "P" },
  { uf: "PI", name: "Bom Jesus", type: "M" },
  { uf: "RN", name: "Bom Jesus", type: "M" },
  { uf: "RS", name: "Bom Jesus", type: "M" },
  { uf: "MG", name: "Água Boa", type: "M" },
  { uf: "MT", name: "Água Boa", type: "M" },
  { uf: "GO", name: "São Domingos", type: "M" },
  { uf: "SE", name: "São Domingos", type: "M" },
  { uf: "PB", name: "Santa Luzia", type: "M" },
];
