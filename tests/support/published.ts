import { randomUUID } from 'node:crypto';
import type { Database } from '~/db/client';
import { users } from '~/db/schema/accounts';
import { creators, domains } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';

export const BASE_TIME = new Date('2026-03-02T09:00:00Z');
const HOUR = 3_600_000;

type Over<T extends { $inferInsert: object }> = Partial<T['$inferInsert']>;

/** A creator with a domain, as claiming one leaves it. */
export async function publishedCreator(db: Database, over: Over<typeof creators> = {}) {
  const email = `${randomUUID()}@example.com`;
  const account = { name: 'Lucía', passwordHash: 'x', country: 'ES', language: 'es', currency: 'eur' as const };
  const [user] = await db
    .insert(users)
    .values({ ...account, email, termsAcceptedAt: BASE_TIME })
    .returning();
  const values = {
    userId: user!.id,
    name: 'Lucía',
    domain: `lucia-${randomUUID().slice(0, 8)}`,
    claimedAt: BASE_TIME,
    ...over,
  };
  const [creator] = await db.insert(creators).values(values).returning();
  await db.insert(domains).values({ domain: creator!.domain, creatorId: creator!.id, claimedAt: BASE_TIME });
  return creator!;
}

/** A free podcast of theirs. */
export async function publishedProduct(db: Database, creatorId: number, over: Over<typeof products> = {}) {
  const values = {
    creatorId,
    kind: 'podcast' as const,
    name: 'Ruido de fondo',
    slug: 'ruido',
    description: 'Historias que se oyen.',
    category: 1501,
    language: 'es',
    coverKey: `images/${creatorId}/abc`,
    currency: 'eur' as const,
    feedGuid: randomUUID(),
    changedAt: BASE_TIME,
    ...over,
  };
  const [product] = await db.insert(products).values(values).returning();
  return product!;
}

/** `count` episodes, one an hour, each with two minutes of checked audio at 128 kbit/s behind a head of 1,000 bytes. */
export async function publishedEpisodes(
  db: Database,
  product: { id: number; creatorId: number },
  count: number,
  over: (i: number) => Over<typeof episodes> = () => ({}),
) {
  const rows = Array.from({ length: count }, (_, i) => {
    const name = `Episodio ${i + 1}`;
    return {
      creatorId: product.creatorId,
      productId: product.id,
      name,
      slug: `episodio-${i + 1}`,
      description: `<p>De qué va el ${name}.</p>`,
      type: 'public' as const,
      status: 'published' as const,
      releaseAt: new Date(BASE_TIME.getTime() + i * HOUR),
      guid: randomUUID(),
      uploadKey: randomUUID(),
      fileName: 'audio.mp3',
      audioKey: `audio/${product.creatorId}/${i}/abc.mp3`,
      audioBytes: 1_921_000,
      headBytes: 1000,
      durationMs: 120_000,
      bitrate: 128_000,
      ...over(i),
    };
  });
  return db.insert(episodes).values(rows).returning();
}
