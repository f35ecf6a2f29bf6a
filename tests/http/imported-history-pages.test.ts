import { afterEach, expect, test, vi } from 'vitest';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, lucia, make, podcast } = await cast();
const app = pagesApp(runtime, env.urls);
const page = `/podcasts/${podcast.id}/metric/imported`;
const { host, origin } = new URL(env.urls.appUrl);
const headers = { cookie: `token=${lucia.token}; language=en`, host, origin };

const send = (statisticsKey: string) =>
  app.request(`${env.urls.appUrl}${page}`, {
    headers,
    method: 'POST',
    body: new URLSearchParams({ intent: 'upload', statisticsKey, host: '' }),
  });
const open = async (path: string) => (await app.request(`${env.urls.appUrl}${path}`, { headers })).text();

afterEach(() => vi.restoreAllMocks());

test('a file is read by the page that shows it, and not before', async () => {
  const key = await make.upload(lucia, 'statistics', Buffer.from('date,downloads\n2024-11-20,100\n'));
  const read = vi.spyOn(runtime.ports.storage, 'read');

  const response = await send(key);
  const reads = read.mock.calls.length;
  const location = response.headers.get('location') ?? '';

  expect([response.status, location]).toEqual([302, `${page}?file=${key}`]);
  expect(reads).toBe(0);
  expect(await open(location)).toContain('Import 1 figure');
});

test.each([
  ['no file', async () => '', 'Choose a file.'],
  ['a file without rows', () => make.upload(lucia, 'statistics', Buffer.from('date,downloads\n')), 'role="alert"'],
])('%s is named beside the form, where another one can be chosen', async (_, keyOf, fault) => {
  const response = await send(await keyOf());
  const html = await open(response.headers.get('location') ?? '');

  expect(html).toContain(fault);
  expect(html).toContain('type="file"');
});

test('the form that removes a host says which figures will be lost', async () => {
  const statisticsKey = await make.upload(
    lucia,
    'statistics',
    Buffer.from('date,downloads\n2024-11-20,1\n2024-11-22,2\n'),
  );
  await lucia.api.importedHistory.save({ id: podcast.id, kind: 'podcast', statisticsKey, host: 'libsyn' });

  const html = await open(page);

  expect(html).toContain('2 figures of Libsyn (20 November 2024 – 22 November 2024) disappear from the charts');
});
