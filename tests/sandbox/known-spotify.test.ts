import { expect, test } from 'vitest';
import { openSpotifySandbox } from '~/server/sandbox/spotify/sandbox';
import { openStore } from '~/server/sandbox/spotify/store';
import { cast } from '../support/cast';

const { client } = await cast({ empty: true });
const BASE = 'http://altavoz.localhost:3000/_sandbox/spotify';
const app = { clientId: 'id', clientSecret: 'secret', partnerId: 'partner', deliveryToken: 'token' };
const store = await openStore(client);
const sandbox = openSpotifySandbox({ baseUrl: BASE, client: { ...app, redirectUri: `${BASE}/back` }, store });
const PAGE = `${BASE}/known`;
const read = async (language: string) =>
  (await sandbox.app.request(PAGE, { headers: { 'accept-language': language } })).text();
const set = (fields: Record<string, string>) =>
  sandbox.app.request(PAGE, { method: 'POST', body: new URLSearchParams(fields) });

test('the page lists shows and users, sets a status, and accepts no other words', async () => {
  expect(await read('en')).toContain('No show has been submitted.');
  const uri = (await store.submit({
    uri: 'spotify:show:1',
    name: '<b>Olas</b>',
    url: 'https://x.example/',
    at: new Date('2026-01-02T03:04:05Z'),
  }))!;
  await store.register({ id: 'a'.repeat(64), account: 'nora', entitlements: ['show_7'] });

  const html = await read('es');
  expect(html).toContain('&lt;b&gt;Olas&lt;/b&gt;');
  expect(html).toContain('show_7');
  expect(html).toContain('Usuarios vinculados');
  expect((await set({ uri, status: 'ingested and valid' })).headers.get('location')).toBe('/_sandbox/spotify/known');
  expect(await store.feed(uri)).toMatchObject({ status: 'ingested and valid' });
  expect((await set({ uri, status: 'approved' })).status).toBe(400);
  expect((await set({ uri: 'unknown', status: 'ingested and valid' })).status).toBe(303);
});

test('of two shows with one name, the second one is refused; the same feed keeps its show', async () => {
  const feed = { name: 'Ondas', url: 'https://one.example/', at: new Date('2026-01-02T03:04:05Z') };
  expect(await store.submit({ ...feed, uri: 'spotify:show:2' })).toBe('spotify:show:2');
  expect(await store.submit({ ...feed, uri: 'spotify:show:3' })).toBe('spotify:show:2');
  expect(await store.submit({ ...feed, name: 'ONDAS', url: 'https://two.example/', uri: 'spotify:show:4' })).toBeNull();
});
