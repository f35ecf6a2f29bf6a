import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { listeningDays } from '~/db/schema/listening';
import { earlier, HOURS, utcDay } from '~/server/base/time';
import { homePage } from '~/server/domain/pages/home-page';
import { cast } from '../../support/cast';

const settings = { HOME_SHOWS: 'casa/missing, casa/explicit casa/ruido casa/noise casa/other' };
const { runtime, make, visitorCtx } = await cast({ empty: true, settings });
const { db } = runtime;

const creator = await make.creator({ domain: 'casa' });
const unverified = await make.creator({ domain: 'unverified' });
await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, unverified.id));

let age = 0;
async function show(slug: string, over: Parameters<typeof make.product>[1] = {}, owner = creator) {
  age += 1;
  const product = await make.product(owner, { slug, createdAt: earlier(runtime.now(), HOURS(age)), ...over });
  await make.episodes(product, 2, (i) => ({ explicit: i === 1 && slug === 'ruido' }));
  return product;
}
const ruido = await show('ruido');
const noise = await show('noise', { language: 'en-US' });
const other = await show('other', { language: 'en' });
const explicit = await show('explicit', { language: 'en', explicit: true });
const paid = await show('paid', { language: 'en', priceMinor: 500 });
const ofUnverified = await show('ruido', { language: 'en' }, unverified);
const unheard = await show('unheard', { language: 'en' });

const heard = [ruido, noise, other, explicit, paid, ofUnverified];
await db
  .insert(listeningDays)
  .values(heard.map(({ id, creatorId }) => ({ productId: id, creatorId, day: utcDay(runtime.now()), listens: 1 })));
await db.insert(listeningDays).values({
  productId: unheard.id,
  creatorId: unheard.creatorId,
  day: utcDay(runtime.now()),
  downloads: 3,
});

test('the shelf has shows of verified creators with listeners, those in the page’s language first', async () => {
  const [english, spanish] = await Promise.all(
    (['en', 'es'] as const).map((language) => homePage({ ...visitorCtx(), language })),
  );

  expect(english!.shelf.map(({ slug }) => slug)).toEqual(['noise', 'other', 'paid', 'ruido']);
  expect(spanish!.shelf.map(({ slug }) => slug)).toEqual(['ruido', 'noise', 'other', 'paid']);
});

test("the sample is the first of the operator's shows in the language, without an explicit episode", async () => {
  const [english, spanish] = await Promise.all(
    (['en', 'es'] as const).map((language) => homePage({ ...visitorCtx(), language })),
  );

  expect(english!.sample).toMatchObject({ product: { slug: 'noise' }, episode: { slug: 'episodio-2' } });
  expect(spanish!.sample).toMatchObject({ product: { slug: 'ruido' }, episode: { slug: 'episodio-1' } });
});

test('without a chosen show there is no sample', async () => {
  const ctx = visitorCtx();

  const page = await homePage({ ...ctx, settings: { ...ctx.settings, homeShows: [] } });

  expect(page.sample).toBeNull();
});
