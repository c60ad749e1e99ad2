/** Words before the number or letter of a flat, block, room or lot. */
export const UNITS: ReadonlySet<string> = new Set(
  `ap apt apto aptos apart apartamento bloco bl blc casa cs sala sl sls conj
    conjunto cj loja lj andar and quadra qd qda lote lt lts torre tr box bx
    sobrado fundos fds fd frente terreo sobreloja slj galpao unidade un subsolo
    pavimento pav ala modulo mod kit kitnet fl flat etapa gleba km chacara ch
    setor qi ql hm fone tel telefone cel celular whatsapp zap pedido contrato postal
    cpf cnpj rg matricula poste`
    .split(/\s+/),
);

/** Units without a number or letter that are seldom the start of a name. */
export const PLAIN_UNITS: ReadonlySet<string> = new Set(
  `fundos fundo fds fd terreo sobreloja slj subsolo mezanino edicula cobertura
    kitnet`.split(/\s+/),
);

/** Units without a number or letter. */
export const BARE_UNITS: ReadonlySet<string> = new Set([
  ...PLAIN_UNITS,
  ..."frente fte sobrado casa portaria".split(" "),
]);

/** Words before the name of a building. */
export const BUILDINGS: ReadonlySet<string> = new Set(
  "edificio ed edf condominio cond shopping predio galeria".split(" "),
);

/** Words before the name of an estate, which is rarely that of its street. */
export const ESTATES: ReadonlySet<string> = new Set(
  `${[...BUILDINGS].join(" ")} residencial res chacara sitio fazenda faz granja
    haras loteamento lot`.split(/\s+/),
);

/** Words before the name of a neighbourhood. */
export const PLACES: ReadonlySet<string> = new Set(
  `${[...ESTATES].join(" ")} bairro jardim jd jard vila vl parque pq pque
    conjunto conj cj setor st cidade cid nucleo portal recanto vale alto area
    zona distrito povoado cohab`.split(/\s+/),
);

/** Types of small streets, beside which is often a street of the same name. */
export const LANES: ReadonlySet<string> = new Set(
  `travessa trav tv beco bc viela passagem ladeira vila servidao acesso ramal
    caminho escadaria`.split(/\s+/),
);

/** Words before a building number. */
export const NUMBER_MARKS: ReadonlySet<string> = new Set(
  "n no nr num numero".split(" "),
);

/** Words before the name of something near an address. */
export const REFERENCES: ReadonlySet<string> = new Set(
  "perto proximo proxima prox esquina esq entre atras defronte".split(" "),
);

/** Words before a former name of a street: `Rua Um (antiga Rua Dois)`. */
export const FORMER: ReadonlySet<string> = new Set(
  "antiga antigo ant ex".split(" "),
);

/**
 * Words before a number of a telephone or document. Short ones, which are also
 * abbreviations, stand right before it: `Cel. Silva 01310-100` is a street.
 */
export const NOT_A_CEP =
  /(?<!\p{L})(?:(?:tel|cel|rg)[^\p{L}\d]{0,6}|(?:(?:tele)?fones?|celular|whats(?:app)?|zap|fax|ramal|cpf|cnpj|pedido|contrato|matr[ií]cula)(?!\p{L})\D{0,20})$/iu;

/** Words around an address: of the envelope, of a chat, of what is near. */
export const FILLERS: ReadonlySet<string> = new Set(
  `as os um uma ao na no nas nos em para pra pro por com que
    qual quais quero queria preciso gostaria saber descobrir cep codigo postal
    endereco enderecos logradouro bairro cidade municipio distrito povoado estado uf complemento
    numero num nr n fica ficam moro mora resido morar entrega entregar entregue
    perto proximo proxima prox lado frente atras esquina esq altura ref
    referencia ponto aqui oi ola boa bom dia tarde noite favor obrigado obrigada
    meu minha eu voces voce tem sou somos brasil brazil localizado localizada
    situado situada sito sita lugar onde ali la tambem mesmo mesma cliente
    informa informou end ligar antes falar contato obs pode podem manda mande
    mandar destinatario residencia aos cuidados envia envie enviar leva levar
    deixa deixar ok valeu vlw gentileza logr bair bro mun munic`
    .split(/\s+/),
);

/**
 * Everyday names of cities, with the official name, without prepositions, and
 * the state.
 */
export const NICKNAMES: ReadonlyMap<string, readonly [string, string]> =
  new Map(
    Object.entries({
      floripa: ["florianopolis", "SC"] as const,
      bh: ["belo horizonte", "MG"] as const,
      beaga: ["belo horizonte", "MG"] as const,
      belzonte: ["belo horizonte", "MG"] as const,
      sampa: ["sao paulo", "SP"] as const,
      jampa: ["joao pessoa", "PB"] as const,
      poa: ["porto alegre", "RS"] as const,
      bsb: ["brasilia", "DF"] as const,
      cwb: ["curitiba", "PR"] as const,
      gyn: ["goiania", "GO"] as const,
      ssa: ["salvador", "BA"] as const,
      rio: ["rio janeiro", "RJ"] as const,
      rj: ["rio janeiro", "RJ"] as const,
      sjc: ["sao jose campos", "SP"] as const,
      sbc: ["sao bernardo campo", "SP"] as const,
      scs: ["sao caetano sul", "SP"] as const,
      jf: ["juiz fora", "MG"] as const,
      bc: ["balneario camboriu", "SC"] as const,
      foz: ["foz iguacu", "PR"] as const,
      sjp: ["sao jose pinhais", "PR"] as const,
      cg: ["campo grande", "MS"] as const,
      vix: ["vitoria", "ES"] as const,
      nikiti: ["niteroi", "RJ"] as const,
      fortal: ["fortaleza", "CE"] as const,
    }),
  );
