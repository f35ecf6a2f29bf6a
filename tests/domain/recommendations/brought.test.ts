import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { checkouts } from '~/db/schema/checkouts';
import { impressionDays } from '~/db/schema/renditions';
import { visitToken } from '~/server/base/recommended-visits';
import { DAYS, later, utcDay } from '~/server/base/time';
import { settleCheckout } from '~/server/domain/billing/checkout/settle-checkout';
import { countBrought } from '~/server/domain/recommendations/count-brought';
import { renderFeed } from '~/server/doors/feeds/feeds';
import { checkConformance } from '~/server/feed/conformance/check';
import { countBrought as countJob } from '~/server/queue/jobs/recommendations';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { createCaller } from '~/server/trpc/caller';
import { cookieContext } from '~/server/trpc/context';
import '../../support/matchers';
import { runJobs } from '../../support/run-jobs';
import { type Publisher, recommendationStage } from './stage';

const stage = await recommendationStage();
const { runtime, db, clock, make, visitor, publisher, agree } = stage;

let number = 0;
let ana: Publisher;
let ben: Publisher;
let id: number;
beforeEach(async () => {
  number += 1;
  [ana, ben] = await Promise.all([publisher(`Anchors ${number}`), publisher(`Bells ${number}`)]);
  id = await agree(ana, ben);
});

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Calls of one browser, which keeps the cookies that it gets. */
function browser({ token, userAgent = BROWSER }: { token?: string; userAgent?: string } = {}) {
  const jar = new Map<string, string>(token ? [['token', token]] : []);
  return {
    jar,
    async call<Result>(make: (api: ReturnType<typeof createCaller>) => Promise<Result>): Promise<Result> {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = new Headers({ cookie, 'user-agent': userAgent });
      const request = { headers, host: 'altavoz.localhost', address: '203.0.113.7', requestId: 'test' };
      const out = new Headers();
      const result = await make(createCaller(await cookieContext(runtime, { ...request, language: 'en' }, out)));
      for (const line of out.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      return result;
    },
  };
}

const page = async ({ domain, show }: Publisher) => {
  const found = await visitor.pages.product({ domain, slug: show.slug, page: 1 });
  if (found.moved) throw new Error('moved');
  return found;
};
const feedOf = async ({ domain, show }: Publisher) =>
  (await renderFeed(runtime, { domain, slug: show.slug })).body.toString();
const figures = async (of: Publisher, which = id) =>
  (await of.api.recommendations.list({})).items.find((item) => item.id === which)!.figures;
const runCounts = () =>
  runJobs(runtime, countJob.name, (payload: Parameters<typeof countBrought>[1]) =>
    countBrought(systemCtx(runtime, countJob.name), payload),
  );
const NOTHING = { plays: 0, visits: 0, follows: 0, subscriptions: 0 };

test('the recommending show names the other one on its page and in its feed, until it ends', async () => {
  const { recommends } = await page(ana);

  expect(recommends).toMatchObject([{ product: { name: ben.show.name }, creator: { name: `Bells ${number} Writer` } }]);
  const xml = await feedOf(ana);
  const url = `http://staging-${ben.domain}.altavoz.localhost:3000/p/${ben.show.slug}/feed.xml`;
  expect(xml).toContain('<podcast:podroll><podcast:remoteItem ');
  expect(xml).toContain(`feedUrl="${url}"`);
  expect(checkConformance(xml).filter(({ rule }) => rule === 'podroll_entries')).toEqual([]);
  expect((await page(ben)).recommends).toEqual([]);
  expect(await feedOf(ben)).not.toContain('podroll');

  await ben.api.recommendations.end({ id });

  expect((await page(ana)).recommends).toEqual([]);
  expect(await feedOf(ana)).not.toContain('podroll');
});

test('a visit by the link counts once for each browser, follows and later visits too, and both creators see it', async () => {
  const { visitUrl } = (await page(ana)).recommends[0]!;
  const token = visitUrl.slice(visitUrl.lastIndexOf('/') + 1);
  const listener = await make.person();
  const [guest, reader] = [browser(), browser({ token: listener.token })];

  const { url } = await guest.call((api) => api.recommendations.visit({ token }));
  await guest.call((api) => api.recommendations.visit({ token }));
  await reader.call((api) => api.recommendations.visit({ token }));
  await reader.call((api) => api.feeds.follow({ productId: ben.show.id }));
  await reader.call((api) => api.feeds.unfollow({ productId: ben.show.id }));
  await reader.call((api) => api.feeds.follow({ productId: ben.show.id }));
  await runCounts();

  expect(new URL(url).host).toBe(`staging-${ben.domain}.altavoz.localhost:3000`);
  expect(url).toMatch(new RegExp(`/p/${ben.show.slug}$`));
  expect([...guest.jar.keys()]).toEqual(['recommendation']);
  expect(guest.jar.get('recommendation')).toBe(reader.jar.get('recommendation'));
  expect(await figures(ana)).toEqual({ ...NOTHING, visits: 2, follows: 1 });
  expect(await figures(ben)).toEqual({ ...NOTHING, visits: 2, follows: 1 });
});

test.each(['curl/8.5.0', 'python-requests/2.32', 'AntennaPod/3.5', ''])(
  'a visit of “%s”, which is no browser, counts nothing and is not remembered',
  async (userAgent) => {
    const tool = browser({ userAgent });

    await tool.call((api) => api.recommendations.visit({ token: visitToken(runtime.vault, id) }));

    expect(await figures(ana)).toEqual(NOTHING);
    expect([...tool.jar.keys()]).toEqual([]);
  },
);

test('bots, forged links and follows of another show count nothing', async () => {
  const token = visitToken(runtime.vault, id);
  const robot = browser({ userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' });
  await robot.call((api) => api.recommendations.visit({ token }));
  const forger = browser({ token: (await make.person()).token });
  const forged = `${id}-${visitToken(runtime.vault, id + 1)
    .split('-')
    .slice(1)
    .join('-')}`;
  for (const wrong of [forged, `${id}`, '', 'x'.repeat(100), token.slice(0, -1)])
    await expect(forger.call((api) => api.recommendations.visit({ token: wrong }))).toFailWith(
      'recommendation.link_invalid',
    );
  forger.jar.set('recommendation', forged);
  await forger.call((api) => api.feeds.follow({ productId: ben.show.id }));
  const other = await publisher(`Others ${number}`);
  forger.jar.set('recommendation', token);
  await forger.call((api) => api.feeds.follow({ productId: other.show.id }));
  await runCounts();

  expect(await figures(ana)).toEqual(NOTHING);
});

test('a payment of somebody who came by the link counts as a subscription', async () => {
  const buyer = await make.person();
  const terms = { name: 'Bells', priceMinor: 500, currency: 'eur' as const, every: null, recommendationId: id };
  const [checkout] = await db
    .insert(checkouts)
    .values({
      ...{ id: randomUUID(), purpose: 'show', status: 'open', userId: buyer.id, productId: ben.show.id },
      ...{ creatorId: ben.creatorId, terms, language: 'en', expiresAt: later(clock.now, DAYS(1)) },
    } as typeof checkouts.$inferInsert)
    .returning();
  await db.execute(`update products set price_minor = 500 where id = ${ben.show.id}`);

  const settle = () =>
    transact(systemCtx(runtime, 'test'), (tx) => settleCheckout(tx, { checkoutId: checkout!.id } as never));
  await settle();
  await settle();
  await runCounts();

  expect(await db.select().from(checkouts).where(eq(checkouts.id, checkout!.id))).toMatchObject([
    { status: 'settled', refusedFor: null },
  ]);
  expect(await figures(ana)).toEqual({ ...NOTHING, subscriptions: 1 });
});

test('the plays of the promo are the impressions of its campaign', async () => {
  const { campaignId } = await stage.rowOf(id);
  const row = { campaignId: campaignId!, day: utcDay(clock.now), episodeId: ana.episodeIds[0]!, country: '', app: '' };
  await db.insert(impressionDays).values([
    { ...row, impressions: 3 },
    { ...row, country: 'ES', impressions: 4 },
  ]);

  expect(await figures(ben)).toEqual({ ...NOTHING, plays: 7 });
});
