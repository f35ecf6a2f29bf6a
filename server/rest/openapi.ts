import { z } from 'zod';
import { ERROR_KINDS } from '../base/errors';
import type { Access, Call } from './call';
import { fieldsOf, schemaOf, shapeOf } from './inputs';
import { legacyNameOf, toSnakeCase } from './names';
import { TABLE } from './table';

export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  minLength?: number;
  maxLength?: number;
  [word: string]: unknown;
};

export type Parameter = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: JsonSchema;
};

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  'x-access': Access;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
};

export type OpenApi = {
  openapi: '3.1.0';
  info: Record<string, unknown>;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> };
};

/** Chapters of the documentation by room, in this order. */
export const CHAPTERS: Record<string, string> = {
  accounts: 'Accounts',
  reference: 'Reference data',
  media: 'Uploads',
  products: 'Podcasts and audio series',
  episodes: 'Episodes',
  listening: 'Listening',
  pages: 'Public pages',
  notifications: 'Emails',
  coupons: 'Coupons',
  payouts: 'Payouts',
  imports: 'RSS import',
  statistics: 'Statistics',
  transcription: 'Transcription',
};

const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const jsonContent = (schema: JsonSchema) => ({ 'application/json': { schema } });

/** The OpenAPI 3.1 document, generated from the table and the schemas that the API itself uses. */
export function openApi(appUrl: string): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const call of TABLE) {
    const path = `/api/${call.path.replace(/:(\w+)/g, (_, name: string) => `{${toSnakeCase(name)}}`)}`;
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: describeOperation(call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Altavoz REST API',
      version: '1',
      description:
        'For legacy clients; the web app uses tRPC. Times are ISO 8601 in UTC, amounts are decimal strings, IDs are integers. The trailing slash of a path is optional.',
    },
    servers: [{ url: appUrl }],
    paths,
    components: {
      schemas: describeComponents(),
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word `Token`, a space, and the `key` from the login response.',
        },
      },
    },
  };
}

function describeOperation(call: Call): Operation {
  const { method, path, access, summary, procedure, fixed, variant } = call;
  const { properties, required } = inputSchemas(call);
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name]) => toSnakeCase(name as string));
  const hasInput = Object.keys(properties).length > 0;
  const content = Object.fromEntries(
    BODY_TYPES.map((type) => [type, { schema: { type: 'object', properties, required } }]),
  );
  return {
    operationId: [procedure, ...Object.values(fixed ?? {}), ...(variant ? [variant] : [])].join('.'),
    tags: [CHAPTERS[procedure.split('.')[0] as string] as string],
    summary: summary,
    'x-access': access,
    security: access === 'none' ? [] : [...(access === 'optional' ? [{}] : []), { token: [] }],
    parameters: [...ids.map(idParameter), ...(method === 'GET' ? queryParameters(properties, required) : [])],
    ...(method !== 'GET' && hasInput && { requestBody: { required: required.length > 0, content } }),
    responses: describeResponses(call, { hasInput, hasId: ids.length > 0 }),
  };
}

function idParameter(name: string): Parameter {
  return { name, in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
}

function queryParameters(properties: Record<string, JsonSchema>, required: string[]): Parameter[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function describeResponses(
  call: Call,
  { hasInput, hasId }: { hasInput: boolean; hasId: boolean },
): Operation['responses'] {
  const { out, access, statusOf, status = 200 } = call;
  const success = out
    ? { description: 'Success.', content: jsonContent(schemaRef(out.name)) }
    : { description: 'Success.' };
  const failing = (kind: keyof typeof ERROR_KINDS, description: string, schema = 'Error') => ({
    [ERROR_KINDS[kind].status]: { description, content: jsonContent(schemaRef(schema)) },
  });
  return {
    [out ? status : 204]: success,
    ...(statusOf && { 201: success }),
    ...(hasInput && failing('invalid', 'A field is invalid.', 'ValidationError')),
    ...(access !== 'none' && failing('unauthenticated', 'The token is missing or invalid.')),
    ...(access !== 'none' &&
      failing('forbidden', 'The account, its plan or its subscription does not allow it; `code` gives the reason.')),
    ...(hasId && failing('not_found', 'Not found, or not visible to the caller.')),
    ...failing('upstream', 'Something went wrong. `request_id` identifies the request.'),
  };
}

/** Describes fields as clients send them, with the length limit that applies after cleaning. */
export const AS_INPUT: Parameters<typeof z.toJSONSchema>[1] = {
  io: 'input',
  unrepresentable: 'any',
  override({ zodSchema, jsonSchema }) {
    if (!(zodSchema instanceof z.ZodPipe && zodSchema.out instanceof z.ZodString)) return;
    if (zodSchema.out.maxLength !== null) jsonSchema.maxLength = zodSchema.out.maxLength;
  },
};

/** The fields that a client may send, by their legacy names. */
function inputSchemas(call: Call): { properties: Record<string, JsonSchema>; required: string[] } {
  const schema = schemaOf(call);
  if (!schema) return { properties: {}, required: [] };
  const object = withoutZodDetails(z.toJSONSchema(z.object(shapeOf(schema)), AS_INPUT) as JsonSchema);
  const fields = Object.keys(fieldsOf(call));
  const defaulted = fields.filter((field) => call.method !== 'PATCH' && call.defaults?.[field] !== undefined);
  const required = [...(object.required ?? []).filter((field) => fields.includes(field)), ...defaulted];
  const properties = fields.map((field): [string, JsonSchema] => [
    legacyNameOf(call, field),
    object.properties?.[field] ?? {},
  ]);
  return { properties: Object.fromEntries(properties), required: required.map((field) => legacyNameOf(call, field)) };
}

function describeComponents(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const { out } of TABLE) if (out && !registry.has(out.schema)) registry.add(out.schema, { id: out.name });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` });
  const messages: JsonSchema = { type: 'array', items: { type: 'string' } };
  const text: JsonSchema = { type: 'string' };
  return {
    ...Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, withoutZodDetails(schema as JsonSchema)]),
    ),
    Error: { type: 'object', properties: { detail: text, code: text, request_id: text }, required: ['detail'] },
    ValidationError: { type: 'object', additionalProperties: messages },
  };
}

/** Removes details of zod's own: its ids, patterns next to a format, alternatives that JSON cannot express. */
export function withoutZodDetails(schema: JsonSchema): JsonSchema {
  const { $schema: _, $id: __, ...rest } = schema;
  if (rest.format) delete rest.pattern;
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum;
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum;
  if (rest.items) rest.items = withoutZodDetails(rest.items);
  if (typeof rest.additionalProperties === 'object')
    rest.additionalProperties = withoutZodDetails(rest.additionalProperties);
  if (rest.properties) {
    const entries = Object.entries(rest.properties);
    rest.properties = Object.fromEntries(entries.map(([name, property]) => [name, withoutZodDetails(property)]));
  }
  if (!rest.anyOf) return rest;
  const options = rest.anyOf.map(withoutZodDetails).filter((option) => Object.keys(option).length > 0);
  const { anyOf: ___, ...others } = rest;
  return options.length === 1 ? { ...others, ...options[0] } : { ...others, anyOf: options };
}
