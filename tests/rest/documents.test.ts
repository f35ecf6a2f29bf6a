import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { legacyClient } from '../support/legacy';

const { app } = legacyClient(await cast());
const get = (path: string) => app.request(`http://altavoz.localhost:3000/api/${path}`);

test.each(['schema.json', 'schema.json/'])('api/%s is the OpenAPI document', async (path) => {
  const response = await get(path);

  const body = (await response.json()) as { openapi: string; servers: unknown; paths: object };
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body.openapi).toBe('3.1.0');
  expect(body.servers).toEqual([{ url: 'http://altavoz.localhost:3000' }]);
  expect(Object.keys(body.paths)).toContain('/api/audio-series-episodes/{id}/');
});

test.each(['docs', 'docs/'])('api/%s is a page without external resources', async (path) => {
  const response = await get(path);

  const page = await response.text();
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(page).toContain('/api/podcasts/{product_id}/episodes_list/');
  expect(page).not.toMatch(/<script|<link|src=/);
});
