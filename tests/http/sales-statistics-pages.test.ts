import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sales, subscriptions } from '~/db/schema/billing';
import { coupons } from '~/db/schema/coupons';
import { listeningDays } from '~/db/schema/listening';
import { members } from '~/db/schema/team';
import type { TeamRole } from '~/server/policy/roles';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, clock } = await cast();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
clock.now = new Date('2026-11-26T12:00:00Z');

const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, { name: 'Olas y viento', priceMinor: 500 });
const base = `/podcasts/${show.id}/metric`;
const scope = { creatorId: owner.creatorId, productId: show.id };
const at = (day: string) => new Date(`${day}T10:00:00Z`);

await db.insert(listeningDays).values({ ...scope, day: '2026-09-20', downloads: 3 });
await db
  .insert(listeningDays)
  .values({ ...scope, day: '2026-11-20', downloads: 3, dimensions: { country: { ES: 3 } } });
const [coupon] = await db
  .insert(coupons)
  .values({ ...scope, code: '=SUM', percent: 50, currency: 'eur', duration: 'once' })
  .returning();
for (const [startedAt, endedAt] of [
  ['2026-09-01', null],
  ['2026-09-02', '2026-11-20'],
  ['2026-11-10', null],
] as const) {
  const { id: userId } = await make.person();
  await db.insert(subscriptions).values({
    ...{ ...scope, userId, providerId: randomUUID(), customerId: 'cus', purpose: 'show', status: 'active' },
    ...{ priceMinor: 500, currency: 'eur', every: 'month', startedAt: at(startedAt), periodStart: at(startedAt) },
    ...{ periodEnd: at('2026-12-10'), endedAt: endedAt && at(endedAt), syncedAt: clock.now },
  });
  await db.insert(sales).values({
    ...{ ...scope, userId, paymentId: randomUUID(), purpose: 'show', name: 'Club', plan: 'PRO', amountMinor: 500 },
    ...{ couponId: startedAt === '2026-11-10' ? coupon!.id : null, currency: 'eur', commissionMinor: 0 },
    ...{ commissionBasisPoints: 0, commissionFixedMinor: 0, paidAt: at('2026-11-10'), legalEntity: 'pages' },
    ...{ receiptNumber: userId, seller: 'Altavoz', buyer: { name: 'Ana' } as never },
  });
}

const { host, origin } = new URL(env.urls.appUrl);

async function open(path: string, token = owner.token) {
  const headers = { cookie: `token=${token}`, host, origin };
  const response = await app.request(`${env.urls.appUrl}${path}`, { headers });
  return { status: response.status, html: await response.text() };
}

async function member(role: TeamRole) {
  const person = await make.person();
  await db.insert(members).values({ creatorId: owner.creatorId, userId: person.id, role });
  await runtime.sessions.workFor(person.token, owner.creatorId);
  return person.token;
}

test('the page of a show, and that of all shows, have subscribers and money; few are people', async () => {
  const { html } = await open(base);
  const all = await open('/metric');

  expect(html).toMatch(/>Subscribers at the end<\/dt><dd>2<\/dd>/);
  expect(html).toMatch(/>Churn<\/dt><dd>1 of 2<\/dd>/);
  expect(html).toMatch(/>Revenue<\/dt><dd>€15\.00<\/dd>/);
  expect(html).toMatch(/>Revenue per subscriber<\/dt><dd>€7\.50<\/dd>/);
  expect(html).toContain('From 2 to 2 subscribers: 1 gained, 1 lost.');
  expect(html).toMatch(/aria-label="Fri,? 20 Nov: 2 subscribers\. 1 lost"/);
  expect(all.html).toMatch(/>Revenue<\/dt><dd>€15\.00<\/dd>/);
  expect(all.html.includes('>Revenue per subscriber<')).toBe(false);
});

test('filtered plays are shown without money, which has no country', async () => {
  const { html } = await open(`${base}?country=ES`);

  expect(html).toContain('3 plays');
  expect(html.includes('id="sales"')).toBe(false);
});

test('files have subscribers and coupons, and no cell that a spreadsheet runs', async () => {
  const subscribers = await open(`${base}/chart.csv?chart=subscribers&from=2026-11-19&to=2026-11-21`);
  const used = await open('/metric/chart.csv?chart=coupons');

  expect(subscribers.html.replace('\ufeff', '')).toBe(
    'from,subscribers,gained,lost\r\n2026-11-19,3,0,0\r\n2026-11-20,2,0,1\r\n2026-11-21,2,0,0\r\n',
  );
  expect(used.html).toContain("'=SUM,0,0,eur,5.00,0.00");
});

test.each(['editor', 'analyst'] as const)(
  'an %s sees the plays and no money, on no page and in no file',
  async (role) => {
    const token = await member(role);

    for (const path of [base, '/metric']) {
      const { status, html } = await open(path, token);
      expect([path, status, /id="sales"|"perSubscriber"/.test(html)]).toEqual([path, 200, false]);
      expect(html).toContain('3 plays');
      for (const chart of ['subscribers', 'coupons'])
        expect((await open(`${path}/chart.csv?chart=${chart}`, token)).status).toBe(403);
    }
  },
);

test('finance sees the money, and another creator finds nothing', async () => {
  const finance = await member('finance');
  const stranger = await make.creator({ name: 'Ada' });

  expect((await open(base, finance)).html).toContain('€15.00');
  expect((await open(`${base}/chart.csv?chart=coupons`, finance)).status).toBe(200);
  expect((await open(base, stranger.token)).status).toBe(404);
  expect((await open(`${base}/chart.csv?chart=subscribers`, stranger.token)).status).toBe(404);
  expect((await open('/metric/chart.csv?chart=coupons', stranger.token)).html).not.toContain('SUM');
});
