import { CHAPTERS, type JsonSchema, type OpenApi, type Operation, openApi } from './openapi';

/** One row of a field table. */
export type Field = { name: string; type: string; required: boolean };
export type CallDescription = {
  method: string;
  path: string;
  summary: string;
  access: Operation['x-access'];
  query: Field[];
  body: Field[];
  /** `200 Episode`, `204`. */
  responses: string[];
};
export type ApiDescription = {
  chapters: { title: string; calls: CallDescription[] }[];
  objects: { name: string; fields: Field[] }[];
};

/** A readable form of the OpenAPI document, for `/api/docs` and docs/rest.md. */
export function describeApi(appUrl: string): ApiDescription {
  const document = openApi(appUrl);
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      tag: operation.tags[0],
      call: describeCall(method, path, operation),
    })),
  );
  return {
    chapters: Object.values(CHAPTERS).map((title) => ({
      title,
      calls: calls.filter(({ tag }) => tag === title).map(({ call }) => call),
    })),
    objects: objectsOf(document),
  };
}

function describeCall(method: string, path: string, operation: Operation): CallDescription {
  const body = operation.requestBody?.content['application/json']?.schema;
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  return {
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    access: operation['x-access'],
    query: query.map(({ name, schema, required }) => ({ name, type: typeText(schema), required })),
    body: body ? fieldsIn(body) : [],
    responses: Object.entries(operation.responses)
      .filter(([status]) => status < '300')
      .map(([status, { content }]) => {
        const schema = content?.['application/json']?.schema;
        return schema ? `${status} ${typeText(schema)}` : status;
      }),
  };
}

function objectsOf({ components }: OpenApi): ApiDescription['objects'] {
  return Object.entries(components.schemas)
    .filter(([, schema]) => schema.properties && !schema.properties.results)
    .map(([name, schema]) => ({ name, fields: fieldsIn(schema) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function fieldsIn({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeText(schema),
    required: required.includes(name),
  }));
}

/** `string (date-time) or null`, `public, trailer or private`, `list of Episode`. */
export function typeText(schema: JsonSchema): string {
  if (schema.$ref) return nameText(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
  if (schema.anyOf) return joinWithOr(schema.anyOf.map(typeText));
  if (schema.enum) return joinWithOr(schema.enum.map(String));
  if (schema.items) return `list of ${typeText(schema.items)}`;
  if (schema.properties) {
    const inside = fieldsIn(schema).map(({ name, type }) => `${name}: ${type}`);
    return `{ ${inside.join('; ')} }`;
  }
  const types = [schema.type ?? 'anything'].flat();
  const limit = schema.maxLength ? `, at most ${schema.maxLength} characters` : '';
  return `${joinWithOr(types)}${schema.format ? ` (${schema.format})` : ''}${limit}`;
}

/** Schema names of lists and pages, in words. */
function nameText(name: string): string {
  if (name.endsWith('List')) return `list of ${name.slice(0, -4)}`;
  return name.endsWith('Page') ? `page of ${name.slice(0, -4)}` : name;
}

function joinWithOr(words: string[]): string {
  const unique = [...new Set(words)];
  return unique.length < 2 ? unique.join('') : `${unique.slice(0, -1).join(', ')} or ${unique.at(-1)}`;
}
