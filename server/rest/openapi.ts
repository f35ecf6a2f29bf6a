import { z } from 'zod';
import { ERROR_KINDS } from '../errors';
import type { Access, Call } from './call';
import { fieldsOf, inputSchemaOf, shapeOf } from './inputs';
import { nameOf, snake } from './names';
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

/** What the rooms behind the procedures are called in the documents, in this order. */
export const CHAPTERS: Record<string, string> = {
  accounts: 'Accounts',
  reference: 'Reference data',
  media: 'Uploads',
  products: 'Podcasts and audio series',
  episodes: 'Episodes',
  listening: 'Listening',
};

const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

/** The OpenAPI 3.1 document of the table, from the very schemas that the adapter runs on. */
export function openApi(appUrl: string): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const call of TABLE) {
    const path = `/api/${call.path.replace(/:(\w+)/g, (_, name: string) => `{${snake(name)}}`)}`;
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Altavoz REST API',
      version: '1',
      description:
        'For clients of before; the web app speaks tRPC. Times are ISO 8601 in UTC, amounts decimal strings, ids integers. The last slash of a path may be left out.',
    },
    servers: [{ url: appUrl }],
    paths,
    components: {
      schemas: components(),
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word `Token`, a space, and the `key` of a log-in.',
        },
      },
    },
  };
}

function operation(call: Call): Operation {
  const { method, path, access, about, procedure, fixed } = call;
  const { properties, required } = inputs(call);
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name]) => snake(name as string));
  const hasInput = Object.keys(properties).length > 0;
  const content = Object.fromEntries(
    BODY_TYPES.map((type) => [type, { schema: { type: 'object', properties, required } }]),
  );
  return {
    operationId: [procedure, ...Object.values(fixed ?? {}), ...(path.startsWith('open-') ? ['open'] : [])].join('.'),
    tags: [CHAPTERS[procedure.split('.')[0] as string] as string],
    summary: about,
    'x-access': access,
    security: access === 'none' ? [] : [...(access === 'optional' ? [{}] : []), { token: [] }],
    parameters: [...ids.map(idParameter), ...(method === 'GET' ? queryParameters(properties, required) : [])],
    ...(method !== 'GET' && hasInput && { requestBody: { required: required.length > 0, content } }),
    responses: responses(call, { hasInput, hasId: ids.length > 0 }),
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

function responses(call: Call, { hasInput, hasId }: { hasInput: boolean; hasId: boolean }): Operation['responses'] {
  const { out, access, statusOf, status = 200 } = call;
  const success = out ? { description: 'Done.', content: json(ref(out.name)) } : { description: 'Done.' };
  const failing = (kind: keyof typeof ERROR_KINDS, description: string, schema = 'Error') => ({
    [ERROR_KINDS[kind].status]: { description, content: json(ref(schema)) },
  });
  return {
    [out ? status : 204]: success,
    ...(statusOf && { 201: success }),
    ...(hasInput && failing('invalid', 'A field breaks a rule.', 'ValidationError')),
    ...(access !== 'none' && failing('unauthenticated', 'The token is missing or wrong.')),
    ...(access !== 'none' &&
      failing('forbidden', 'The account, its plan or its subscription does not allow it; `code` says which.')),
    ...(hasId && failing('not_found', 'It is not there, or not for the caller.')),
    ...failing('upstream', 'Something went wrong; `request_id` names the request.'),
  };
}

/** Inputs before they are cleaned; their length is bounded after. */
const AS_SENT: Parameters<typeof z.toJSONSchema>[1] = {
  io: 'input',
  unrepresentable: 'any',
  override({ zodSchema, jsonSchema }) {
    if (!(zodSchema instanceof z.ZodPipe && zodSchema.out instanceof z.ZodString)) return;
    if (zodSchema.out.maxLength !== null) jsonSchema.maxLength = zodSchema.out.maxLength;
  },
};

/** What a client may send in a call, by the contract's names. */
function inputs(call: Call): { properties: Record<string, JsonSchema>; required: string[] } {
  const schema = inputSchemaOf(call.procedure);
  if (!schema) return { properties: {}, required: [] };
  const whole = tidy(z.toJSONSchema(z.object(shapeOf(schema)), AS_SENT) as JsonSchema);
  const fields = Object.keys(fieldsOf(call));
  const sent = fields.filter((field) => call.method !== 'PATCH' && call.defaults?.[field] !== undefined);
  const required = [...(whole.required ?? []).filter((field) => fields.includes(field)), ...sent];
  const properties = fields.map((field): [string, JsonSchema] => [
    nameOf(call, field),
    whole.properties?.[field] ?? {},
  ]);
  return { properties: Object.fromEntries(properties), required: required.map((field) => nameOf(call, field)) };
}

function components(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const { out } of TABLE) if (out && !registry.has(out.schema)) registry.add(out.schema, { id: out.name });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` });
  const sentences: JsonSchema = { type: 'array', items: { type: 'string' } };
  const text: JsonSchema = { type: 'string' };
  return {
    ...Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema as JsonSchema)])),
    Error: { type: 'object', properties: { detail: text, code: text, request_id: text }, required: ['detail'] },
    ValidationError: { type: 'object', additionalProperties: sentences },
  };
}

/** Leaves out what only says how zod works: its ids, patterns beside a format, alternatives that no JSON can be. */
function tidy(schema: JsonSchema): JsonSchema {
  const { $schema: _, $id: __, ...rest } = schema;
  if (rest.format) delete rest.pattern;
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum;
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum;
  if (rest.items) rest.items = tidy(rest.items);
  if (typeof rest.additionalProperties === 'object') rest.additionalProperties = tidy(rest.additionalProperties);
  if (rest.properties) {
    const entries = Object.entries(rest.properties);
    rest.properties = Object.fromEntries(entries.map(([name, property]) => [name, tidy(property)]));
  }
  if (!rest.anyOf) return rest;
  const possible = rest.anyOf.map(tidy).filter((option) => Object.keys(option).length > 0);
  const { anyOf: ___, ...others } = rest;
  return possible.length === 1 ? { ...others, ...possible[0] } : { ...others, anyOf: possible };
}
