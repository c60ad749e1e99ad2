import { formatCep } from "../../record/address.ts";
import type { ExampleAddress } from "./example_address.ts";
import { fillTemplate } from "./template.ts";
import type { PageTexts } from "./texts.ts";

/** Parts of the service that some examples need. */
interface Parts {
  /** True if addresses can be searched. */
  readonly search: boolean;
  /** True if the data have coordinates. */
  readonly census: boolean;
}

interface Example {
  /** Text that describes it. */
  readonly text:
    | "exampleCep"
    | "exampleSearch"
    | "exampleMatch"
    | "exampleBatch"
    | "examplePlace"
    | "exampleNearest";
  /** Method and path. */
  readonly line: string;
  readonly body?: string;
  /** False if the service or the data lack a part that it needs. */
  readonly isPossible?: boolean;
}

/** Lists the examples of the API. */
function examplesOf(
  { cep, otherCep, words, text, ibge, latitude, longitude }: ExampleAddress,
  { search, census }: Parts,
): Example[] {
  const place = new URLSearchParams({ lat: latitude, lng: longitude });
  return [
    { text: "exampleCep", line: `GET cep/${cep}` },
    {
      text: "exampleSearch",
      line: `GET busca?${new URLSearchParams({ q: words })}&limite=3`,
      isPossible: search,
    },
    {
      text: "exampleMatch",
      line: "POST enderecos",
      body: `{"endereco": ${JSON.stringify(text)}}`,
      isPossible: search,
    },
    {
      text: "exampleBatch",
      line: "POST ceps",
      body: `["${formatCep(cep)}", "${otherCep}"]`,
    },
    {
      text: "examplePlace",
      line: `GET municipios/${ibge}`,
      isPossible: ibge !== "",
    },
    {
      text: "exampleNearest",
      line: `GET proximos?${place}&limite=3`,
      isPossible: census && latitude !== "",
    },
  ];
}

/** Renders the examples of the API. */
export function examples(
  texts: PageTexts,
  address: ExampleAddress,
  parts: Parts,
): string {
  const possible = examplesOf(address, parts)
    .filter(({ isPossible = true }) => isPossible);
  return possible.map(({ text, line, body = "" }) => {
    const [method = "", path = ""] = line.split(" ");
    return fillTemplate(
      `<div class="example"><p class="what">{{what}}</p><div class="line">` +
        `<code>{{method}} /{{path}}<span {{?body}}><br>{{body}}</span></code>` +
        `<button type="button" class="quiet" data-run="{{method}}" ` +
        `data-path="{{path}}" data-body="{{body}}" aria-label="{{label}}" ` +
        `hidden>{{run}}</button></div><div data-answer></div></div>`,
      {
        what: texts[text],
        method,
        path,
        body,
        run: texts.run,
        label: `${texts.run}: ${texts[text]}`,
      },
    );
  }).join("");
}
