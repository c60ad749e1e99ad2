import type { Random } from "../../generate_dne/random.ts";

/** Puts a phrase such as `moro na` before a street. */
export function leadIn(street: string, random: Random): string {
  const isMale = /^(beco|largo|viaduto|caminho|condom|loteam)/i.test(street);
  const a = isMale ? "o" : "a";
  return random.pick([
    `perto d${a} ${street}`,
    `próximo a ${street}`,
    `moro n${a} ${street}`,
    `fica n${a} ${street}`,
    `qual o cep d${a} ${street}`,
    `cep d${a} ${street}`,
    `endereço: ${street}`,
    `entregar n${a} ${street}`,
    `esquina com ${street}`,
    `em frente a ${street}`,
  ]);
}

/** Parts of an address in a message. */
export interface Spoken {
  readonly street: string;
  readonly number: string;
  readonly neighbourhood: string;
  readonly city: string;
}

/** Writes an address as in a chat. */
export function chat(
  { street, number, neighbourhood, city }: Spoken,
  random: Random,
): string {
  const isMale = /^(beco|largo|viaduto|caminho|condom|loteam)/i.test(street);
  const na = isMale ? "no" : "na";
  const da = isMale ? "do" : "da";
  const numbered = number === "" ? street : `${street} ${number}`;
  const comma = number === "" ? street : `${street}, ${number}`;
  return random.pick([
    `oi, moro ${na} ${numbered} no bairro ${neighbourhood} em ${city}`,
    `bom dia, qual o cep ${da} ${street} em ${city}?`,
    `preciso do cep ${da} ${comma}, ${neighbourhood}, ${city}`,
    `alguém sabe o cep ${da} ${street} bairro ${neighbourhood} ${city}`,
    `meu endereço é ${comma}, ${neighbourhood}, ${city}`,
    `boa tarde! entrega ${na} ${numbered} ${neighbourhood} ${city}?`,
    `fica ali ${na} ${street}, no ${neighbourhood}, ${city}`,
    `olá, gostaria do cep ${da} ${street}, ${city}, obrigado`,
  ]);
}
