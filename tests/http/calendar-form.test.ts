import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast();
const app = pagesApp(runtime, env.urls);
const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});
const [soon, past] = await make.episodes(show, 2, (i) =>
  i === 0
    ? { name: 'Soon', status: 'scheduled', releaseAt: new Date('2099-03-10T09:30:00Z') }
    : { name: 'Past', status: 'published', releaseAt: new Date('2026-03-02T10:00:00Z') },
);
const { host, origin } = new URL(env.urls.appUrl);
const headers = { cookie: `token=${owner.token}; language=en`, host, origin };

const open = async (month: string) =>
  (await app.request(`${env.urls.appUrl}/calendar?month=${month}`, { headers })).text();
const move = (episode: number, day: string, month = '2099-03') =>
  app.request(`${env.urls.appUrl}/calendar?month=${month}`, {
    headers,
    method: 'POST',
    body: new URLSearchParams({ episode: String(episode), day }),
  });
const stored = (id: number) => owner.api.episodes.forEditing({ id });

test('a scheduled episode is moved to another day by a form, at its time of day in the creator’s zone', async () => {
  const { timeZone } = await owner.api.episodes.month({});
  const clock = (at: Date | null) => at?.toLocaleTimeString('en', { timeZone });
  const response = await move(soon!.id, '2099-04-20');
  const { releaseDate } = await stored(soon!.id);

  expect([response.status, response.headers.get('location')]).toEqual([
    302,
    '/calendar?month=2099-04&done=episode_moved',
  ]);
  expect(releaseDate?.toLocaleDateString('en-CA', { timeZone })).toBe('2099-04-20');
  expect(clock(releaseDate)).toBe(clock(soon!.releaseAt));
});

test.each([
  ['2020-01-01', 'Publish time is in past.'],
  ['someday', 'Choose a date and a time.'],
  ['', 'Choose a date and a time.'],
])('the day %j is refused beside its field', async (day, error) => {
  const before = await stored(soon!.id);
  const response = await move(soon!.id, day, '2099-04');

  const [field] =
    /<input[^>]*name="day".*?<p[^>]*error[^>]*>.*?<\/p>|<p[^>]*error.*?<input[^>]*name="day"/s.exec(
      await response.text(),
    ) ?? [];

  expect(response.status).toBe(400);
  expect(field).toContain(error);
  expect((await stored(soon!.id)).releaseDate).toEqual(before.releaseDate);
});

test('an episode that is published meanwhile stays published', async () => {
  const response = await move(past!.id, '2099-04-20');

  expect(response.headers.get('location')).toContain('done=episode_not_moved');
  expect(await stored(past!.id)).toMatchObject({ status: 'published', releaseDate: past!.releaseAt });
});

test('only a month with a scheduled episode has the form, which works without JavaScript', async () => {
  await move(soon!.id, '2099-05-05');

  expect(await open('2099-05')).toMatch(/<form method="post"[^>]*>.*Soon \(.*name="day".*<\/form>/s);
  expect(await open('2026-03')).not.toContain('name="day"');
});
