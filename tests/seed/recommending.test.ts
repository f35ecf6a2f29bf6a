import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { recommendations } from '~/db/schema/recommendations';
import type { DemoPerson } from '~/server/seed/demo-types';
import { seedRecommendations } from '~/server/seed/recommendations';
import { type Publisher, recommendationStage } from '../domain/recommendations/stage';

const { runtime, db, clock, publisher } = await recommendationStage();

async function living(timeZone: string, { creatorId, email, show }: Publisher, slug: string): Promise<DemoPerson> {
  await db.update(creators).set({ timeZone }).where(eq(creators.id, creatorId));
  await db.update(products).set({ slug }).where(eq(products.id, show.id));
  const person = { email, language: 'en', creator: { timeZone }, products: [{ slug }] };
  return person as unknown as DemoPerson;
}

// the demo's first day was that of UTC, so a first start in the last hour of a day lost its recommendations
test.each([
  ['Europe/Madrid', '2026-03-02T23:30:00Z', '2026-02-11'],
  ['America/Los_Angeles', '2026-03-02T04:30:00Z', '2026-02-09'],
])('a demo in %s that is created at %s recommends from a day of its creators', async (timeZone, now, firstDay) => {
  clock.now = new Date(now);
  const [one, other] = [await publisher('Postcards'), await publisher('Hums')];
  const people = [await living(timeZone, one, 'postales-sonoras'), await living(timeZone, other, 'seconds-of-hum')];

  await seedRecommendations(runtime, people);

  const [made] = await db.select().from(recommendations).where(eq(recommendations.productId, one.show.id));
  expect(made).toMatchObject({ status: 'accepted', firstDay });
  await db
    .update(products)
    .set({ slug: `seen-${one.show.id}` })
    .where(eq(products.id, one.show.id));
  await db
    .update(products)
    .set({ slug: `seen-${other.show.id}` })
    .where(eq(products.id, other.show.id));
});
