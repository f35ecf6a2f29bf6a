import { z } from 'zod';
import { SCOPES } from '~/db/values/api-scopes';
import { API_LIMITS } from '../../limits/api';
import { inputSchemaOf, shapeOf } from '../../rest/inputs';
import { toSnakeCase } from '../../rest/names';
import { AS_INPUT, type JsonSchema, withoutZodDetails } from '../../rest/openapi';
import { fieldOfParam, v1Fields, v1NameOf } from './input';
import { templateOf } from './match-call';
import { V1_TABLE } from './table';
import { CHAPTERS, type V1Call } from './v1-call';

type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
};
type Content = Record<string, { schema: JsonSchema; example?: unknown }>;
export type V1Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  'x-scope': string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};
export type V1Document = {
  openapi: '3.1.0';
  paths: Record<string, Record<string, V1Operation>>;
  components: { schemas: Record<string, JsonSchema> } & Record<string, unknown>;
} & Record<string, unknown>;

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonSchema, example?: unknown): Content => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

/** The OpenAPI 3.1 document, generated from the table and the schemas that the API itself uses. */
export function v1Document(appUrl: string): V1Document {
  const paths: V1Document['paths'] = {};
  for (const call of V1_TABLE) {
    const path = templateOf(call);
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Altavoz API', version: API_LIMITS.versions.at(-1) },
    servers: [{ url: appUrl }],
    tags: CHAPTERS.filter((chapter) => V1_TABLE.some((call) => call.chapter === chapter)).map((name) => ({ name })),
    paths,
    components: {
      schemas: components(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: `A key with these scopes: ${SCOPES.join(', ')}.` },
      },
    },
  };
}

function operationOf(call: V1Call): V1Operation {
  const { method, path, chapter, summary, scope, example } = call;
  const { properties, required } = inputOf(call);
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) =>
    parameter('path', name as string, idSchema(call, name as string)),
  );
  const inQuery =
    method === 'GET'
      ? Object.entries(properties).map(([name, schema]) => parameter('query', name, schema, required))
      : [];
  const hasBody = method !== 'GET' && Object.keys(properties).length > 0;
  const schema: JsonSchema = { type: 'object', properties, required, additionalProperties: false };
  return {
    operationId: idOf(call),
    tags: [chapter],
    summary,
    'x-scope': scope,
    security: [{ key: [scope] }],
    parameters: [...inPath, ...inQuery, ...(call.isPaged ? pagingParameters() : []), ...answerParameters(call)],
    ...(hasBody && { requestBody: { required: required.length > 0, content: json(schema, example) } }),
    responses: responsesOf(call),
  };
}

/** Most ids are whole numbers; some procedures ask for UUIDs. */
function idSchema(call: V1Call, name: string): JsonSchema {
  const field = shapeOf(inputSchemaOf(call.procedure))[fieldOfParam(call, name)];
  const format = field && (z.toJSONSchema(field, AS_INPUT) as JsonSchema).format;
  return format === 'uuid' ? { type: 'string', format } : { type: 'integer', minimum: 1 };
}

/** `GET /shows/:id/archive` → `get_shows_id_archive`. */
function idOf({ method, path }: V1Call): string {
  return `${method.toLowerCase()}${path.replace(/[/:]+/g, '_')}`;
}

function parameter(at: Parameter['in'], name: string, schema: JsonSchema, required?: string[]): Parameter {
  return { name, in: at, required: at === 'path' || (required?.includes(name) ?? false), schema };
}

function pagingParameters(): Parameter[] {
  const { usual, most } = API_LIMITS.pageSize;
  const limit: JsonSchema = { type: 'integer', minimum: 1, maximum: most, default: usual };
  return [parameter('query', 'limit', limit), parameter('query', 'cursor', { type: 'string' })];
}

function answerParameters({ method, out }: V1Call): Parameter[] {
  const { versions, idempotencyKeyLength } = API_LIMITS;
  return [
    ...(out ? [parameter('query', 'fields', { type: 'string' })] : []),
    parameter('header', 'Altavoz-Version', { type: 'string', enum: [...versions] }),
    ...(method === 'GET'
      ? []
      : [parameter('header', 'Idempotency-Key', { type: 'string', maxLength: idempotencyKeyLength })]),
  ];
}

function responsesOf({ out, isPaged, status = 200, method }: V1Call): V1Operation['responses'] {
  const problem = (description: string) => ({
    description,
    content: { 'application/problem+json': { schema: ref('Problem') } },
  });
  const one = out && (isPaged ? ref(`${out.name}List`) : ref(out.name));
  return {
    [out ? status : 204]: { description: 'Success.', ...(one && { content: json(one) }) },
    ...(method === 'GET' && { 304: { description: 'It has not changed.' } }),
    400: problem('A field or a parameter is invalid.'),
    401: problem('The key is missing, mistyped or revoked.'),
    403: problem('The key lacks the scope, or the role or the plan does not allow it.'),
    404: problem('It does not exist, or belongs to somebody else.'),
    ...(method !== 'GET' && {
      409: problem('It conflicts with what has happened since.'),
      415: problem('The body is not sent as application/json.'),
      422: problem('Another body was sent with this Idempotency-Key.'),
    }),
    429: problem('Too many requests.'),
  };
}

/** The fields that a client may send, by their names in the API. */
function inputOf(call: V1Call): { properties: Record<string, JsonSchema>; required: string[] } {
  const fields = Object.entries(v1Fields(call));
  const shape = Object.fromEntries(fields.map(([name, { schema }]) => [name, schema]));
  const object = withoutZodDetails(z.toJSONSchema(z.object(shape), AS_INPUT) as JsonSchema);
  const properties = fields.map(([name]): [string, JsonSchema] => [
    name,
    withApiNames(asJson(object.properties?.[name] ?? {})),
  ]);
  return { properties: Object.fromEntries(properties), required: object.required ?? [] };
}

/** Forms send texts for numbers and switches. Programs send the JSON type, which is the one that we describe. */
function asJson(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf } = schema;
  const list = anyOf?.find(({ type }) => type === 'array');
  if (list && anyOf?.some(({ type }) => type === 'string')) return asJson(list);
  const type = Array.isArray(schema.type) ? jsonType(schema.type) : schema.type;
  const { maxLength, ...rest } = schema;
  return {
    ...rest,
    ...(type && { type }),
    ...(typeof maxLength === 'number' && { maxLength }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, asJson(inner)])),
    }),
    ...(items && { items: asJson(items) }),
    ...(anyOf && { anyOf: anyOf.map(asJson) }),
  };
}

function jsonType(types: string[]): string | string[] {
  if (types.includes('boolean')) return 'boolean';
  return types.includes('number') && types.includes('string') ? 'integer' : types;
}

/** Names inside of a field: `startMs` → `start_ms`. */
function withApiNames(schema: JsonSchema): JsonSchema {
  const { properties, required, items, anyOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [v1NameOf({}, name), withApiNames(inner)]),
      ),
    }),
    ...(required && { required: required.map(toSnakeCase) }),
    ...(items && { items: withApiNames(items) }),
    ...(anyOf && { anyOf: anyOf.map(withApiNames) }),
  };
}

function components(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const { out } of V1_TABLE) if (out && !registry.has(out.schema)) registry.add(out.schema, { id: out.name });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` });
  const views = Object.entries(schemas).map(([name, schema]) => [name, withoutZodDetails(schema as JsonSchema)]);
  const lists = V1_TABLE.flatMap(({ out, isPaged }) => (out && isPaged ? [[`${out.name}List`, listOf(out.name)]] : []));
  return { ...Object.fromEntries([...views, ...lists]), Problem: PROBLEM };
}

const text: JsonSchema = { type: 'string' };

const listOf = (name: string): JsonSchema => ({
  type: 'object',
  properties: {
    data: { type: 'array', items: ref(name) },
    total: { type: 'integer' },
    next_cursor: { type: ['string', 'null'] },
  },
  required: ['data', 'total', 'next_cursor'],
});

const PROBLEM: JsonSchema = {
  type: 'object',
  properties: {
    type: { type: 'string', format: 'uri' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    code: text,
    errors: { type: 'object', additionalProperties: { type: 'array', items: text } },
    request_id: text,
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
};
