import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { recommendations } from '~/db/schema/recommendations';
import type { RecommendationState } from '~/db/values/recommendations';
import { utcDay } from '~/server/base/time';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';

type Stage = { runtime: Runtime; owner: { creatorId: number } };

/** The rows of the authorization matrix about recommendations between the owner's show and one of another creator. */
export function recommendationRows({ runtime: { db, now }, owner: { creatorId } }: Stage) {
  const ownShow = async () => {
    const [show] = await db
      .select({ id: products.id })
      .from(products)
      .where(and(eq(products.creatorId, creatorId), eq(products.kind, 'podcast')))
      .orderBy(products.id)
      .limit(1);
    return show!.id;
  };
  const otherShow = async () => {
    const [user] = await db
      .insert(users)
      .values({ name: 'Nora', email: `${randomUUID()}@mail.example`, currency: 'eur', termsAcceptedAt: now() })
      .returning({ id: users.id });
    const [creator] = await db
      .insert(creators)
      .values({ userId: user!.id, name: 'Nora', domain: randomUUID(), claimedAt: now() })
      .returning({ id: creators.id });
    const texts = { name: 'Tides', slug: 'tides', description: 'The sea.', category: 101, language: 'en' };
    const [show] = await db
      .insert(products)
      .values({
        ...{ ...texts, kind: 'podcast', creatorId: creator!.id, coverKey: 'images/0/none' },
        ...{ currency: 'eur', feedGuid: randomUUID() },
      })
      .returning();
    return show!;
  };
  const row = async (status: RecommendationState, isOwn: boolean) => {
    const [own, other] = [await ownShow(), await otherShow()];
    const sides = [
      { id: own, creatorId },
      { id: other.id, creatorId: other.creatorId },
    ] as const;
    const [by, of] = isOwn ? sides : [sides[1], sides[0]];
    const [made] = await db
      .insert(recommendations)
      .values({
        ...{ productId: by.id, creatorId: by.creatorId, recommendedId: of.id, recommendedCreatorId: of.creatorId },
        ...{ status, firstDay: utcDay(now()), isAtEnd: false },
      })
      .returning({ id: recommendations.id });
    return made!;
  };
  const request = async () => ({
    productId: await ownShow(),
    recommendedId: (await otherShow()).id,
    firstDay: utcDay(now()),
  });
  return {
    'recommendations.findShows': [['owner', async () => ({ productId: await ownShow() })]],
    // the show has no promo
    'recommendations.request': [['refusedWriters', request]],
    'recommendations.accept': [['refusedWriters', () => row('requested', false)]],
    'recommendations.decline': [['owner', () => row('requested', false)]],
    'recommendations.withdraw': [['owner', () => row('requested', true)]],
    'recommendations.end': [['owner', () => row('accepted', true)]],
  } satisfies Record<string, [rule: Rule, input?: () => Promise<Input> | Input][]>;
}
