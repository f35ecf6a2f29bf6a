import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns } from '~/db/schema/insertions';
import { impressionDays } from '~/db/schema/renditions';
import { sponsorLinks } from '~/db/schema/statistics';
import { DAYS, later } from '~/server/base/time';
import { campaignRow } from '../support/campaigns';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import '../support/matchers';

const { runtime, env, make, clock } = await cast();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);
const START = new Date('2026-11-26T12:00:00Z');
clock.now = START;

const owner = await make.creator({ name: 'Lucía' });
const other = await make.creator({ name: 'Ada' });
const show = await make.product(owner, { name: 'Olas y viento' });
const second = await make.product(owner, { name: 'Mareas' });
const theirs = await make.product(other, { name: 'Otro programa' });
const [open, hidden] = await make.episodes(show, 2, (i) => ({
  ...{ name: i === 0 ? '=SUM(A1)' : 'Secreto de socios', slug: `parte-${i}` },
  type: i === 0 ? 'public' : 'private',
}));
const ref = { id: show.id, kind: 'podcast' } as const;

async function insertCampaign(creatorId: number, productId: number, name: string): Promise<number> {
  const values = campaignRow({ creatorId, productId }, { name, firstDay: '2026-11-20', cap: 2000, impressions: 1234 });
  const [row] = await db.insert(insertionCampaigns).values(values).returning({ id: insertionCampaigns.id });
  return row!.id;
}
const campaignId = await insertCampaign(owner.creatorId, show.id, 'Bodegas Mar');
const rival = await insertCampaign(owner.creatorId, show.id, 'Bodegas Rival');
const ofOther = await insertCampaign(other.creatorId, theirs.id, 'Ajena');
const heard = { campaignId, country: 'ES', app: 'spotify' };
await db.insert(impressionDays).values([
  { ...heard, day: '2026-11-24', episodeId: open!.id, impressions: 1000 },
  { ...heard, day: '2026-11-25', episodeId: hidden!.id, impressions: 234 },
]);

beforeEach(async () => {
  clock.now = START;
  await db.delete(sponsorLinks);
  await db.update(insertionCampaigns).set({ deletedAt: null });
  await db.execute('delete from rate_limits');
});

const create = (over: object = {}) =>
  owner.api.statistics.createSponsorLink({ ...ref, campaignId, name: 'Agencia', days: 30, ...over });
const pathOf = ({ url }: { url: string }) => new URL(url).pathname;
async function visit(path: string) {
  const response = await app.request(env.urls.appUrl + path, { headers: { host, origin } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, html: bytes.toString('utf8'), bytes, headers: response.headers };
}

test('a link shows the impressions of one campaign, and nothing else', async () => {
  const path = pathOf(await create());

  const { status, html, headers } = await visit(path);

  expect(status).toBe(200);
  expect(path).toMatch(/^\/figures\/campaign\/[\w-]{43}$/);
  for (const shown of ['Bodegas Mar', 'Olas y viento', '1,234', '2,000', 'Spain', 'Spotify'])
    expect(html).toContain(shown);
  for (const not of ['Bodegas Rival', 'Secreto de socios', 'Agencia', owner.email]) expect(html).not.toContain(not);
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect((await visit(`/es${path}`)).html).toContain('Informe de una campaña');
  expect((await visit(pathOf(await create({ namesPrivate: true })))).html).toContain('Secreto de socios');
});

test.each([
  ['deleted', { deletedAt: START }],
  ['on hold', { status: 'on_hold' }],
  ['taken down', { takenDownAt: START }],
] as const)('an episode that is %s is not named, and its impressions count', async (_, change) => {
  const path = pathOf(await create({ namesPrivate: true }));
  await db.update(episodes).set(change).where(eq(episodes.id, hidden!.id));

  const { html } = await visit(path);
  const file = await visit(`${path}/impressions.csv`);
  const offered = { status: 'published', deletedAt: null, takenDownAt: null } as const;
  await db.update(episodes).set(offered).where(eq(episodes.id, hidden!.id));

  expect([html, file.html].filter((text) => text.includes('Secreto'))).toEqual([]);
  expect(file.html).toContain('day,2026-11-25,,234');
});

test('the report is a PDF, and a file in which no cell runs', async () => {
  const path = pathOf(await create());

  const pdf = await visit(`${path}/report.pdf`);
  const { html: file } = await visit(`${path}/impressions.csv`);

  expect(pdf.status).toBe(200);
  expect(pdf.headers.get('content-type')).toBe('application/pdf');
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.headers.get('cache-control')).toContain('no-store');
  expect(file).toContain('day,2026-11-24,,1000');
  expect(file).toContain("'=SUM(A1)");
  expect(file).not.toContain('Secreto');
});

test.each(['', '/report.pdf', '/impressions.csv'])(
  'forged, expired and revoked links get 410 at “%s”',
  async (part) => {
    const path = pathOf(await create({ days: 7 }));
    const [row] = await db.select().from(sponsorLinks);
    const forged = path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A');

    for (const bad of [
      forged,
      path.slice(0, -1),
      `/figures/campaign/${row!.tokenHash}`,
      `/figures/campaign/${'a'.repeat(300)}`,
    ])
      expect((await visit(bad + part)).status).toBe(410);
    clock.now = later(START, DAYS(7));
    expect((await visit(path + part)).status).toBe(410);
    clock.now = START;
    await owner.api.statistics.revokeSponsorLink({ ...ref, linkId: row!.id });
    expect((await visit(path + part)).status).toBe(410);
  },
);

test('the link of a campaign opens no figures of the show, and the other way round', async () => {
  const ofCampaign = pathOf(await create())
    .split('/')
    .at(-1)!;
  const ofShow = pathOf(await owner.api.statistics.createSponsorLink({ ...ref, name: 'x', days: 7 }))
    .split('/')
    .at(-1)!;

  expect((await visit(`/figures/${ofCampaign}`)).status).toBe(410);
  expect((await visit(`/figures/${ofCampaign}/chart.csv?chart=downloads`)).status).toBe(410);
  expect((await visit(`/figures/campaign/${ofShow}`)).status).toBe(410);
  expect(await owner.api.statistics.sponsorLinks(ref)).toHaveLength(1);
  expect(await owner.api.statistics.sponsorLinks({ ...ref, campaignId })).toHaveLength(1);
  expect(await owner.api.statistics.sponsorLinks({ ...ref, campaignId: rival })).toHaveLength(0);
});

test('a deleted campaign has no report', async () => {
  const path = pathOf(await create());
  await db.update(insertionCampaigns).set({ deletedAt: START }).where(eq(insertionCampaigns.id, campaignId));

  expect((await visit(path)).status).toBe(410);
  await expect(create()).toFailWith('campaign.not_found');
});

test('nobody makes links to campaigns of other shows or creators', async () => {
  const own = { id: theirs.id, kind: 'podcast' } as const;

  await expect(create({ campaignId: ofOther })).toFailWith('campaign.not_found');
  await expect(create({ id: second.id })).toFailWith('campaign.not_found');
  await expect(other.api.statistics.createSponsorLink({ ...own, campaignId, name: 'x', days: 7 })).toFailWith(
    'campaign.not_found',
  );
  await expect(other.api.statistics.sponsorLinks({ ...ref, campaignId })).toFailWith('product.not_found');
  expect(await other.api.statistics.sponsorLinks({ ...own, campaignId })).toEqual([]);
});

test('the studio shows the address once, in the answer of the form', async () => {
  const path = `/podcasts/${show.id}/audio-insertion/${campaignId}/report`;
  const headers = { cookie: `token=${owner.token}`, host, origin };
  const body = new URLSearchParams({ intent: 'create', name: 'Agencia', days: '90', namesPrivate: 'false' });

  const made = await (await app.request(env.urls.appUrl + path, { method: 'POST', headers, body })).text();
  const afterwards = await (await app.request(env.urls.appUrl + path, { headers })).text();

  expect(made).toMatch(/href="[^"]*\/figures\/campaign\/[\w-]{43}"/);
  expect(afterwards).toContain('Agencia');
  expect(afterwards).not.toMatch(/\/figures\/campaign\/[\w-]{43}/);
});
