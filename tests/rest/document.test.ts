import { expect, test } from 'vitest';
import { describeApi } from '~/server/rest/api-description';
import { restDocument } from '~/server/rest/markdown';
import { type JsonSchema, openApi } from '~/server/rest/openapi';
import { TABLE } from '~/server/rest/table';

const document = openApi('http://altavoz.localhost:3000');
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

test('docs/rest.md matches the table', async () => {
  await expect(restDocument()).toMatchFileSnapshot('../../docs/rest.md');
});

test('every call of the table is a separate operation', () => {
  expect(operations).toHaveLength(TABLE.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(TABLE.length);
});

test('every reference points to a schema', () => {
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);

  expect(names.length).toBeGreaterThan(50);
  for (const name of names) expect(Object.keys(document.components.schemas)).toContain(name);
});

test('updates require no field, creations require those of the contract', () => {
  const body = (path: string, method: string): JsonSchema =>
    document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema ?? {};

  expect(body('/api/podcasts/{id}/', 'patch').required).toEqual([]);
  expect(body('/api/podcasts/', 'post').required).toEqual(['name', 'description', 'category', 'language', 'cover_key']);
  expect(body('/api/episodes/', 'post').required).toEqual(['product_id', 'name', 'description', 'file_key']);
  expect(body('/api/auth/registration/', 'post').required).toEqual(
    expect.arrayContaining(['name', 'email', 'password1', 'password2', 'country']),
  );
  expect(Object.keys(body('/api/episodes/', 'post').properties ?? {})).not.toContain('kind');
});

test('lists read their page, order and filters from the query', () => {
  const { parameters = [] } = document.paths['/api/podcasts/{product_id}/episodes_list/']?.get ?? {};

  expect(parameters.map(({ name, in: where, required }) => [name, where, required])).toEqual([
    ['product_id', 'path', true],
    ['type', 'query', false],
    ['status', 'query', false],
    ['page', 'query', false],
    ['page_size', 'query', false],
    ['search', 'query', false],
    ['ordering', 'query', false],
  ]);
});

test('every call of the API is in a chapter', () => {
  const documented = describeApi('').chapters.flatMap(({ calls }) =>
    calls.map(({ method, path }) => `${method} ${path}`),
  );

  expect(documented).toHaveLength(TABLE.length);
});
