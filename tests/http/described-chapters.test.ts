import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast();
const app = pagesApp(runtime, env.urls);
const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});
const [episode] = await make.episodes(show, 1, () => ({
  description: '<p>0:00 Intro<br>0:10 The sea</p>',
  durationMs: 60_000,
}));
const page = `${env.urls.appUrl}/podcasts/${show.id}/episodes/${episode!.id}/chapters`;
const { host, origin } = new URL(env.urls.appUrl);
const headers = { cookie: `token=${owner.token}; language=en`, host, origin };

const open = async () => (await app.request(page, { headers })).text();
const take = () => app.request(page, { headers, method: 'POST', body: new URLSearchParams({ intent: 'take' }) });
const stored = () => owner.api.episodes.chapters({ id: episode!.id });

test('a form takes the chapters from the description, once', async () => {
  const before = await open();
  const response = await take();
  const after = await open();

  expect(before).toContain('The description lists 2 chapters.');
  expect(response.headers.get('location')).toContain('done=chapters_saved');
  expect(await stored()).toMatchObject([
    { startMs: 0, title: 'Intro' },
    { startMs: 10_000, title: 'The sea' },
  ]);
  expect(after).not.toContain('value="take"');
});

test('a description that lists no chapters any more deletes none, and the page says that nothing has changed', async () => {
  await owner.api.episodes.update({ id: episode!.id, kind: 'podcast', description: 'The sea' });
  const response = await take();

  expect(response.headers.get('location')).toContain('done=no_chapters');
  expect(await stored()).toHaveLength(2);
});

test('each chapter of a long list is three native fields, and has the field for a picture only once it is needed', async () => {
  const row = (i: number, startMs: string) => [
    [`chapters.${i}.startMs`, startMs],
    [`chapters.${i}.title`, `Part ${i}`],
    [`chapters.${i}.url`, ''],
    [`chapters.${i}.picture`, ''],
  ];
  const send = async (rows: string[][]) =>
    (await app.request(page, { headers, method: 'POST', body: new URLSearchParams(rows) })).text();
  const times = Array.from({ length: 200 }, (_, i) => `0:${String(Math.floor(i / 4)).padStart(2, '0')}.${(i % 4) * 2}`);
  const rows = times.flatMap((startMs, i) => row(i, startMs));

  await send(rows);
  const saved = await open();
  const refused = await send([...rows.slice(0, 8), ['chapters.2.startMs', 'soon'], ['chapters.2.title', 'Late']]);

  // two empty rows follow
  expect(saved.match(/name="chapters\.\d+\.(?:startMs|title|url)"/g)).toHaveLength(3 * 202);
  expect(saved).not.toMatch(/data-field="chapters|mantine-TextInput/);
  expect(refused).toMatch(/<input name="chapters\.2\.startMs"[^>]*aria-invalid="true" aria-describedby="([^"]+)"/);
  expect(refused).toContain('Late');
});
