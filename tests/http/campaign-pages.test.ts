import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { insertionCampaigns } from '~/db/schema/insertions';
import { creatorPlans } from '~/db/schema/plans';
import { impressionDays } from '~/db/schema/renditions';
import { campaignRow, insertClip } from '../support/campaigns';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, clock } = await cast();
const { db } = runtime;
clock.now = new Date('2026-11-15T12:00:00Z');
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);

const owner = await make.creator({ name: 'Lucía' });
const other = await make.creator({ name: 'Ada' });
const show = await make.product(owner, { name: 'Olas' });
const [episode] = await make.episodes(show, 2, (i) => ({ name: `Parte ${i}`, slug: `parte-${i}` }));
const clip = await insertClip(db, owner.creatorId, { name: 'Bodegas' });
const base = `/podcasts/${show.id}/audio-insertion`;

async function open(path: string, token = owner.token) {
  const response = await app.request(env.urls.appUrl + path, { headers: { host, origin, cookie: `token=${token}` } });
  return { status: response.status, html: await response.text(), location: response.headers.get('location') };
}
async function send(path: string, values: Record<string, string>) {
  const headers = { host, origin, cookie: `token=${owner.token}` };
  const body = new URLSearchParams({ intent: 'save', ...values });
  const response = await app.request(env.urls.appUrl + path, { method: 'POST', headers, body });
  return { status: response.status, html: await response.text(), location: response.headers.get('location') };
}
const VALUES = {
  ...{ name: 'Bodegas Mar', kind: 'campaign', [`clip-${clip}`]: 'on', place: 'pre', number: '1' },
  ...{ selection: 'chosen', [`episode-${episode!.id}`]: 'on', firstDay: '2026-11-15', lastDay: '2026-11-30' },
  ...{ cap: '', isPaced: 'false', countries: 'es, mx', isDraft: 'false', clipKey: '' },
  ...{ inPublicFeed: 'on', inPrivateFeeds: 'false', inWebPlayer: 'on', silenceBeforeMs: '300' },
};

test('a form without JavaScript makes a campaign, whose page and lists show it', async () => {
  const form = await open(`${base}/create`);
  const made = await send(`${base}/create`, VALUES);
  const page = await open(made.location!.replace(env.urls.appUrl, ''));
  const [list, all] = [await open(base), await open('/es/audio-insertion')];

  for (const field of ['name="place"', `name="clip-${clip}"`, `name="episode-${episode!.id}"`, 'name="countries"'])
    expect(form.html).toContain(field);
  expect(made.location).toMatch(new RegExp(`${base}/\\d+\\?done=campaign_created$`));
  for (const shown of [
    'Bodegas Mar',
    'Running',
    '1 chosen episode',
    '<strong>0</strong>',
    'Spain, Mexico',
    'Public feed',
    'Play Bodegas',
    `src="/audio/clips/${clip}.mp3"`,
    '300 ms before',
  ])
    expect(page.html).toContain(shown);
  expect(list.html).toContain('Before the episode');
  expect(all.html).toContain('Antes del episodio');
});

test('a refused form keeps what was typed, and says why in the language of the page', async () => {
  const missing = await send(`/es${base}/create`, { ...VALUES, place: '' });
  const taken = await send(`${base}/create`, { ...VALUES, name: 'Segunda' });

  expect(missing.status).toBe(400);
  expect(missing.html).toContain('La posición de la inserción de audio es obligatoria.');
  expect(missing.html).toContain('value="Bodegas Mar"');
  expect(taken.status).toBe(409);
  expect(taken.html).toContain('This podcast already has a campaign for the same dates.');
  expect(taken.html).toContain('value="Segunda"');
  expect(taken.html).toMatch(new RegExp(`<a[^>]* href="${base}/\\d+"[^>]*>Open “Bodegas Mar”</a>`));
});

test('a refused form names all that is wrong at once', async () => {
  const wrong = { [`clip-${clip}`]: 'false', lastDay: '2026-11-14', isPaced: 'on' };

  const typed = await send(`${base}/create`, { ...VALUES, ...wrong, name: '', cap: 'abc' });
  const ruled = await send(`${base}/create`, { ...VALUES, ...wrong });

  const both = ['Choose at least one clip.', 'The last day is before the first day.'];
  for (const shown of [...both, 'Give the campaign a name with a letter or a digit.', 'Enter a whole number from 1 to'])
    expect(typed.html).toContain(shown);
  for (const shown of [...both, 'To spread the impressions evenly']) expect(ruled.html).toContain(shown);
});

test('the clips of a campaign come first in its form, and the others after them', async () => {
  const [{ id }] = (await db.select({ id: insertionCampaigns.id }).from(insertionCampaigns)) as [{ id: number }];
  const newer = await insertClip(db, owner.creatorId, { name: 'Más nuevo' });
  const order = (html: string) => [...html.matchAll(/ id="clip-(\d+)"/g)].map(([, clipId]) => Number(clipId));

  expect(order((await open(`${base}/${id}/edit`)).html)).toEqual([clip, newer]);
  expect(order((await open(`${base}/create`)).html)).toEqual([newer, clip]);
});

test('a campaign is edited, switched, ended and deleted by its pages', async () => {
  const [{ id }] = (await db.select({ id: insertionCampaigns.id }).from(insertionCampaigns)) as [{ id: number }];
  const stored = async () => (await db.select().from(insertionCampaigns).where(eq(insertionCampaigns.id, id)))[0]!;
  const edit = await open(`${base}/${id}/edit`);
  expect(edit.html).toContain('value="Bodegas Mar"');

  await send(`${base}/${id}/edit`, { ...VALUES, name: 'Otra', cap: '500' });
  expect(await stored()).toMatchObject({ name: 'Otra', cap: 500, inPrivateFeeds: false, countries: ['ES', 'MX'] });
  await send(base, { intent: 'off', id: String(id) });
  expect(await stored()).toMatchObject({ isActive: false });
  await send(`${base}/${id}/edit`, VALUES);
  expect(await stored()).toMatchObject({ isActive: false, name: 'Bodegas Mar' });
  await send(`${base}/${id}`, { intent: 'on' });
  expect(await stored()).toMatchObject({ isActive: true });
  await send(`${base}/${id}`, { intent: 'end' });
  expect((await open(`${base}/${id}/edit`)).location).toContain(`${base}/${id}`);
  expect((await open(base)).html).toContain('Ended');
  const gone = await send(`${base}/${id}`, { intent: 'delete' });
  expect(gone.location).toContain(`${base}?done=campaign_deleted`);
  expect((await open(`${base}/${id}`)).status).toBe(404);
});

test('the figures of a campaign are charts and files, in which no cell runs', async () => {
  const own = { creatorId: owner.creatorId, productId: show.id };
  const [campaign] = await db
    .insert(insertionCampaigns)
    .values(campaignRow(own, { impressions: 1234 }))
    .returning();
  const row = { campaignId: campaign!.id, day: '2026-11-14', episodeId: episode!.id };
  await db.insert(impressionDays).values({ ...row, country: 'ES', app: 'spotify', impressions: 1234 });
  const path = `${base}/${campaign!.id}`;

  const page = await open(path);
  const file = (token?: string) => open(`${path}/impressions.csv`, token);

  for (const shown of ['1,234 impressions', 'Spain', 'Spotify', 'Parte 0']) expect(page.html).toContain(shown);
  const { html } = await file();
  for (const line of ['day,2026-11-14,,1234', `episode,${episode!.id},Parte 0,1234`, 'country,ES,Spain,1234'])
    expect(html).toContain(line);
  expect(html).toContain('app,spotify,Spotify,1234');
  expect(page.html).toContain('15 Nov 2026, so far');
  expect((await file(other.token)).status).toBe(404);
  expect((await open(path, other.token)).status).toBe(404);
  expect((await open(`${base}/create`, other.token)).status).toBe(404);
});

test('on the free plan, the pages say what campaigns would do, and the form why it is refused', async () => {
  await db.insert(creatorPlans).values({ creatorId: owner.creatorId, plan: 'FREE', since: clock.now });

  const list = await open(base);
  const refused = await send(`${base}/create`, { ...VALUES, place: 'post' });

  expect(list.html).toContain('On a paid plan, campaigns play your clips');
  expect(list.html).toContain('/plans');
  expect(refused.status).toBe(403);
  expect(refused.html).toContain('Audio insertions are available on paid plans only.');
  await db.delete(creatorPlans);
});
