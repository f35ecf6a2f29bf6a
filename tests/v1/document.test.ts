import { expect, test } from 'vitest';
import { v1Document } from '~/server/doors/v1/openapi';
import { V1_TABLE } from '~/server/doors/v1/table';
import type { JsonSchema } from '~/server/rest/openapi';

const APP = 'http://altavoz.localhost:3000';
const document = v1Document(APP);
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

test('every call of the table is a separate operation', () => {
  expect(operations).toHaveLength(V1_TABLE.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(V1_TABLE.length);
});

test('every reference points to a schema', () => {
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);

  expect(names.length).toBeGreaterThan(50);
  for (const name of names) expect(Object.keys(document.components.schemas)).toContain(name);
});

const bodyOf = (path: string, method: string): JsonSchema =>
  document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema ?? {};

test('fields have the names of the API, also inside of fields', () => {
  const show = bodyOf('/v1/shows', 'post');
  const chapters = bodyOf('/v1/episodes/{id}/chapters', 'put');

  expect(show.required).toEqual(['kind', 'name', 'description', 'category', 'language', 'cover_key']);
  expect(show.properties).toHaveProperty('feed_length');
  expect(Object.keys(chapters.properties?.chapters?.items?.properties ?? {})).toEqual([
    'start_ms',
    'title',
    'url',
    'image_key',
  ]);
  expect(bodyOf('/v1/episodes/{id}', 'patch').required).toEqual([]);
});

test('ids in paths have the type of the ids in answers', () => {
  const idOf = (path: string) => document.paths[path]!.get!.parameters.find(({ name }) => name === 'id')?.schema;

  expect(idOf('/v1/shows/{id}')).toEqual({ type: 'integer', minimum: 1 });
  expect(idOf('/v1/webhooks/{id}/deliveries')).toEqual({ type: 'string', format: 'uuid' });
});

test('the values of the category and the language are listed', () => {
  const { category, language } = bodyOf('/v1/shows', 'post').properties ?? {};

  expect(category?.description).toContain('1501 ');
  expect(language?.description).toMatch(/\ben\b.*\bes\b/);
});

test('every list is read by its pages, whose length is chosen', () => {
  const names = (path: string) => document.paths[path]!.get!.parameters.map(({ name }) => name);

  expect(names('/v1/shows')).toEqual(expect.arrayContaining(['limit', 'cursor', 'fields', 'ordering', 'search']));
  for (const { path, isPaged } of V1_TABLE)
    if (isPaged)
      expect([path, names(`/v1${templated(path)}`)]).toEqual([path, expect.arrayContaining(['limit', 'cursor'])]);
  expect(names('/v1/shows')).not.toContain('page');
});

const templated = (path: string) => path.replace(/:(\w+)/g, '{$1}');

test('every example has the fields that its call needs, and no others', () => {
  for (const { requestBody, operationId } of operations) {
    const { schema, example } = requestBody?.content['application/json'] ?? {};
    if (!schema || !example) continue;
    const sent = Object.keys(example);
    expect([operationId, sent.filter((name) => !(name in (schema.properties ?? {})))]).toEqual([operationId, []]);
    expect([operationId, schema.required?.filter((name) => !sent.includes(name))]).toEqual([operationId, []]);
  }
});

test('fields have the types that programs send, not those of forms', () => {
  const contact = bodyOf('/v1/contacts', 'post').properties;
  const show = bodyOf('/v1/shows', 'post').properties;

  expect(show?.explicit).toEqual({ type: 'boolean' });
  expect(contact?.tags).toEqual({ type: 'array', items: { type: 'string' } });
  expect(bodyOf('/v1/coupons', 'post').properties?.discount).toMatchObject({ type: 'integer' });
  expect(JSON.stringify(document.paths)).not.toMatch(/"boolean","string"|"number","string"|"string","number"/);
});

test('the figures of statistics are declared', () => {
  const { totals, evolution, breakdown } = document.components.schemas.Statistics?.properties ?? {};

  expect(Object.keys(totals?.properties ?? {})).toEqual(expect.arrayContaining(['plays', 'listeners_per_day']));
  expect(Object.keys(evolution?.items?.properties ?? {})).toContain('at');
  expect(Object.keys(breakdown?.properties ?? {})).toContain('country');
});
