import { CHAPTERS, type JsonSchema, type OpenApi, type Operation, openApi } from './openapi';

/** A line of a table of fields. */
export type Field = { name: string; type: string; required: boolean };
export type ReadableCall = {
  method: string;
  path: string;
  about: string;
  access: Operation['x-access'];
  query: Field[];
  body: Field[];
  /** `200 Episode`, `204`. */
  answers: string[];
};
export type Reading = {
  chapters: { title: string; calls: ReadableCall[] }[];
  objects: { name: string; fields: Field[] }[];
};

/** The OpenAPI document as a person reads it: for the page of the documents and for docs/rest.md. */
export function readable(appUrl: string): Reading {
  const document = openApi(appUrl);
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      tag: operation.tags[0],
      call: readCall(method, path, operation),
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

function readCall(method: string, path: string, operation: Operation): ReadableCall {
  const body = operation.requestBody?.content['application/json']?.schema;
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  return {
    method: method.toUpperCase(),
    path,
    about: operation.summary,
    access: operation['x-access'],
    query: query.map(({ name, schema, required }) => ({ name, type: typeText(schema), required })),
    body: body ? fieldsIn(body) : [],
    answers: Object.entries(operation.responses)
      .filter(([status]) => status < '300')
      .map(([status, { content }]) => {
        const schema = content?.['application/json']?.schema;
        return schema ? `${status} ${typeText(schema)}` : status;
      }),
  };
}

function objectsOf({ components }: OpenApi): Reading['objects'] {
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
  if (schema.anyOf) return joined(schema.anyOf.map(typeText));
  if (schema.enum) return joined(schema.enum.map(String));
  if (schema.items) return `list of ${typeText(schema.items)}`;
  if (schema.properties) {
    const inside = fieldsIn(schema).map(({ name, type }) => `${name}: ${type}`);
    return `{ ${inside.join('; ')} }`;
  }
  const types = [schema.type ?? 'anything'].flat();
  const limit = schema.maxLength ? `, at most ${schema.maxLength} characters` : '';
  return `${joined(types)}${schema.format ? ` (${schema.format})` : ''}${limit}`;
}

/** Names of lists and pages are of no interest to people. */
function nameText(name: string): string {
  if (name.endsWith('List')) return `list of ${name.slice(0, -4)}`;
  return name.endsWith('Page') ? `page of ${name.slice(0, -4)}` : name;
}

function joined(words: string[]): string {
  const unique = [...new Set(words)];
  return unique.length < 2 ? unique.join('') : `${unique.slice(0, -1).join(', ')} or ${unique.at(-1)}`;
}
