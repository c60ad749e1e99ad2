import type { Schema } from "../open_api/schema.ts";

/** Parameter in the OpenAPI document. */
export interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly example?: string | number;
}

/** Bodies by media type. */
export type ContentObject = Readonly<
  Record<string, { readonly schema: Schema; readonly example?: unknown }>
>;

/** Response, or a reference to one. */
export interface ResponseObject {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: ContentObject;
}

/** Operation in the OpenAPI document. */
export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters: readonly ParameterObject[];
  readonly requestBody?: {
    readonly description: string;
    readonly content: ContentObject;
  };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** Parts of the OpenAPI document that the page shows. */
export interface OpenApiObject {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, OperationObject>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
