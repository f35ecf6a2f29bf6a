import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { operatorActions, operators } from '~/db/schema/operators';
import { studioNotices } from '~/db/schema/studio-notices';
import { announcementCommands } from '~/server/admin/announcement-commands';
import { DAYS, HOURS, later } from '~/server/base/time';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import { protect } from '../support/second-factors';
import '../support/matchers';

const { runtime, env, make, lucia, ada, tom, clock } = await cast();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const olga = await protect({ runtime, make });
await db.insert(operators).values({ userId: olga.id, addedAt: clock.now, addedBy: 'test' });
beforeEach(async () => {
  await db.delete(studioNotices);
});

async function send(token: string, path: string, form?: Record<string, string>) {
  const { host, origin } = new URL(env.urls.appUrl);
  const headers = { cookie: `token=${token}`, host, origin };
  const body = form && new URLSearchParams(form);
  const response = await app.request(`${env.urls.appUrl}${path}`, { headers, ...(body && { method: 'POST', body }) });
  return { status: response.status, html: await response.text(), location: response.headers.get('location') };
}
const moment = (at: Date) => at.toISOString().slice(0, 16);
const texts = { textEn: 'Uploads pause <b>tonight</b>', textEs: 'Las subidas se paran esta noche' };
const publish = (over: Record<string, string> = {}) =>
  send(olga.token, '/admin/announcements', {
    ...{ intent: 'publish', ...texts, until: moment(later(clock.now, DAYS(1))), level: 'warning' },
    ...over,
  });
const idOf = async () => (await db.select().from(studioNotices))[0]!.id;

test('each user sees it in their language until they hide it or it ends, and the trail says who wrote it', async () => {
  expect((await publish({ link: 'https://status.altavoz.example/' })).status).toBe(302);

  const { html } = await send(lucia.token, '/dashboard');
  expect(html).toContain('Uploads pause &lt;b&gt;tonight&lt;/b&gt;');
  expect(html).toContain('href="https://status.altavoz.example/"');
  expect((await send(tom.token, '/es/profile')).html).toContain(texts.textEs);
  const id = await idOf();
  const hidden = await send(lucia.token, '/dashboard?index', { intent: 'dismiss', id: String(id) });
  expect([hidden.status, hidden.location]).toEqual([302, '/dashboard']);
  await lucia.api.announcements.dismiss({ id });

  expect(await lucia.api.announcements.current()).toEqual([]);
  expect(await ada.api.announcements.current()).toMatchObject([{ id, level: 'warning' }]);
  const trail = await db
    .select()
    .from(operatorActions)
    .where(eq(operatorActions.target, `announcement/${id}`))
    .orderBy(operatorActions.id);
  expect(trail).toMatchObject([{ action: 'announcements.published', operator: expect.stringContaining('@') }]);
});

test('a withdrawn one is gone at once', async () => {
  await publish();
  const id = await idOf();
  expect((await send(lucia.token, '/admin/announcements', { intent: 'withdraw', id: String(id) })).status).toBe(404);
  expect((await send(olga.token, '/admin/announcements', { intent: 'withdraw', id: String(id) })).status).toBe(302);

  expect(await ada.api.announcements.current()).toEqual([]);
  expect((await send(olga.token, '/admin/announcements', { intent: 'withdraw', id: String(id) })).status).toBe(404);
});

test.each<[string, Record<string, string>]>([
  ['without an end', { until: '' }],
  ['that ends before it begins', { until: '2020-01-01T00:00' }],
  ['for longer than some weeks', { until: moment(later(clock.now, DAYS(61))) }],
  ['with a link that runs a script', { link: 'javascript:alert(1)' }],
  ['without a text in Spanish', { textEs: ' ' }],
  ['that is too long', { textEn: 'x'.repeat(301) }],
  ['of another kind', { level: 'party' }],
])('an announcement %s is refused', async (_, over) => {
  const { status, html } = await publish(over);

  expect(status).toBe(400);
  expect(html).toContain('role="alert"');
  expect(await db.$count(studioNotices)).toBe(0);
});

test('the command does the same', async () => {
  const admin = { ctx: systemCtx(runtime, 'operator'), env: {} as never, operator: { name: 'olga' } };
  const run = (name: string, args: string[] = [], options = {}) =>
    announcementCommands[name]!.run(admin, args, options);
  const until = moment(later(clock.now, DAYS(1)));

  const [added] = await run('add', [], { en: texts.textEn, es: texts.textEs, until });

  expect(await run('list')).toMatchObject([{ id: added!.id, level: 'info', text: texts.textEn, by: 'olga' }]);
  await run('withdraw', [String(added!.id)]);
  await expect(run('withdraw', [String(added!.id)])).toFailWith('announcement.not_found');
  await expect(run('add', [], { en: 'A', until })).rejects.toThrow('expected two texts');
});

test('a planned one waits for its time, and is gone after it', async () => {
  await publish({ from: moment(later(clock.now, HOURS(2))) });
  const id = await idOf();
  expect(await ada.api.announcements.current()).toEqual([]);
  await expect(ada.api.announcements.dismiss({ id })).toFailWith('announcement.not_found');

  clock.now = later(clock.now, HOURS(3));
  expect(await ada.api.announcements.current()).toHaveLength(1);

  clock.now = later(clock.now, DAYS(2));
  expect(await ada.api.announcements.current()).toEqual([]);
});
