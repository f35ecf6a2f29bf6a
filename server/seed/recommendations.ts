import { and, asc, eq } from 'drizzle-orm';
import { promos } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns } from '~/db/schema/insertions';
import { products } from '~/db/schema/products';
import { recommendationDays, recommendations } from '~/db/schema/recommendations';
import { impressionDays } from '~/db/schema/renditions';
import { DAYS, dayIn, earlier, utcDay } from '../base/time';
import { cutPromo } from '../domain/episodes/promos';
import { acceptRecommendation } from '../domain/recommendations/answer-recommendation';
import { requestRecommendation } from '../domain/recommendations/request-recommendation';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';

const PROMO_MS = 10_000;
/** The first figure of the days that a recommendation has run; later days have less. */
const DAYS_OF_FIGURES = 14;

type Show = { id: number; kind: 'podcast' | 'audio_series'; person: DemoPerson };
type Asked = { by: string; of: string; daysAgo: number; isSwap?: boolean; isAccepted?: boolean; isAtEnd?: boolean };

/** One that runs, a request that Lucía has not answered, and a swap. */
const ASKED: Asked[] = [
  { by: 'postales-sonoras', of: 'seconds-of-hum', daysAgo: 20, isAccepted: true },
  { by: 'street-tunes', of: 'noches-de-taller', daysAgo: 1, isAtEnd: true },
  { by: 'noches-de-taller', of: 'after-hours', daysAgo: 12, isSwap: true, isAccepted: true },
];

/** Recommendations between the shows of the demo's creators, with what they have brought. Past figures are inserted. */
export async function seedRecommendations(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const shows = await showsOf(runtime, cast);
  for (const { by, of, daysAgo, isAccepted = false, ...request } of ASKED) {
    const [own, other] = [shows.get(by), shows.get(of)];
    if (!own || !other) continue;
    const at = earlier(runtime.now(), DAYS(daysAgo));
    const asking = await actAs(runtime, own.person, at);
    for (const show of [own, other]) await ensurePromo(await actAs(runtime, show.person), show);
    const isIt = and(eq(recommendations.productId, own.id), eq(recommendations.recommendedId, other.id));
    if ((await runtime.db.$count(recommendations, isIt)) > 0) continue;
    const firstDay = dayIn(at, own.person.creator?.timeZone ?? 'UTC');
    const { id } = await requestRecommendation(asking, {
      ...{ productId: own.id, recommendedId: other.id, firstDay, lastDay: undefined, episodeId: undefined },
      ...{ isAtEnd: false, isSwap: false, selection: 'all', episodeIds: [], ...request },
    });
    if (!isAccepted) continue;
    await acceptRecommendation(await actAs(runtime, other.person, at), { id });
    await addFigures(asking, id);
  }
}

async function showsOf({ db }: Runtime, cast: readonly DemoPerson[]): Promise<Map<string, Show>> {
  const rows = await db
    .select({ id: products.id, kind: products.kind, slug: products.slug })
    .from(products)
    .orderBy(asc(products.id));
  const entries = cast.flatMap((person) =>
    person.products.flatMap(({ slug }): [string, Show][] => {
      const row = rows.find((each) => each.slug === slug);
      return row ? [[slug, { ...row, person }]] : [];
    }),
  );
  return new Map(entries);
}

/** The first seconds of the show's first published episode. */
async function ensurePromo(ctx: Ctx, { id, kind }: Show): Promise<void> {
  const rows = await ctx.db
    .select({ id: episodes.id, promo: promos.episodeId })
    .from(episodes)
    .leftJoin(promos, eq(promos.episodeId, episodes.id))
    .where(and(eq(episodes.productId, id), eq(episodes.status, 'published')))
    .orderBy(asc(episodes.id));
  const [first] = rows;
  if (!first || rows.some(({ promo }) => promo !== null)) return;
  await cutPromo(ctx, { id: first.id, kind, startMs: 0, endMs: PROMO_MS });
}

async function addFigures({ db, now }: Ctx, id: number): Promise<void> {
  const [row] = await db.select().from(recommendations).where(eq(recommendations.id, id));
  const swapped = row?.swapId
    ? await db.select().from(recommendations).where(eq(recommendations.swapId, row.swapId)).orderBy(recommendations.id)
    : row
      ? [row]
      : [];
  for (const each of swapped) {
    const days = Array.from({ length: DAYS_OF_FIGURES }, (_, i) => ({
      recommendationId: each.id,
      day: utcDay(earlier(now(), -DAYS(Math.min(i, DAYS_OF_FIGURES)))),
      visits: Math.max(1, 9 - i),
      follows: i % 4 === 0 ? 1 : 0,
      subscriptions: i === 3 ? 1 : 0,
    }));
    await db.insert(recommendationDays).values(days.slice(0, 10)).onConflictDoNothing();
    await addPlays({ db }, each);
  }
}

async function addPlays({ db }: Pick<Ctx, 'db'>, row: typeof recommendations.$inferSelect): Promise<void> {
  const [episode] = await db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.productId, row.productId), eq(episodes.status, 'published')))
    .orderBy(asc(episodes.id))
    .limit(1);
  if (!episode || row.campaignId === null) return;
  const plays = { campaignId: row.campaignId, day: row.firstDay, episodeId: episode.id, country: '', app: '' };
  const impressions = 86;
  await db
    .insert(impressionDays)
    .values({ ...plays, impressions })
    .onConflictDoNothing();
  const isUnheard = and(eq(insertionCampaigns.id, row.campaignId), eq(insertionCampaigns.impressions, 0));
  await db.update(insertionCampaigns).set({ impressions }).where(isUnheard);
}
