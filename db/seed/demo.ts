import { eq, notInArray } from 'drizzle-orm';
import { DAYS, earlier } from '~/server/time';
import type { Database } from '../client';
import { users } from '../schema/accounts';
import { milestones } from '../schema/operations';
import { CAST, type CastEpisode, type CastPage, type CastPerson, type CastProduct, DEMO_PASSWORD } from './cast';
import { drawAvatar, drawCover } from './pictures';
import { sowPlays } from './plays';
import { synthesizeTune } from './tones';

/** What the seed does it by: the product's own verbs, called as one person at one moment. */
export type Hands = {
  /** Makes the account, or finds the one of an earlier start. */
  register(person: CastPerson, password: string): Promise<void>;
  /** Clicks the link in the verification mail, unless that was done. */
  verify(person: CastPerson): Promise<void>;
  claim(person: CastPerson, page: CastPage): Promise<void>;
  /** A file as if uploaded by that person; answers its key. */
  upload(
    person: CastPerson,
    file: { purpose: 'episode_audio' | 'cover' | 'avatar'; name: string; type: string; bytes: Buffer },
  ): Promise<string>;
  furnish(person: CastPerson, page: CastPage, avatarKey: string): Promise<void>;
  findProduct(person: CastPerson, product: CastProduct): Promise<number | null>;
  createProduct(person: CastPerson, product: CastProduct, coverKey: string): Promise<number>;
  hasEpisode(person: CastPerson, productId: number, episode: CastEpisode): Promise<boolean>;
  createEpisode(
    person: CastPerson,
    product: CastProduct & { id: number },
    episode: CastEpisode,
    fileKey: string,
    at: Date,
  ): Promise<void>;
};

const MILESTONE = 'demo';

async function sowEpisodes(hands: Hands, person: CastPerson, product: CastProduct & { id: number }, now: Date) {
  for (const episode of product.episodes) {
    if (await hands.hasEpisode(person, product.id, episode)) continue;
    const bytes = await synthesizeTune(`${product.slug}/${episode.name}`, episode.seconds);
    const name = `${product.slug}-${episode.number ?? episode.type}.mp3`;
    const fileKey = await hands.upload(person, { purpose: 'episode_audio', name, type: 'audio/mpeg', bytes });
    await hands.createEpisode(person, product, episode, fileKey, earlier(now, DAYS(episode.daysAgo)));
  }
}

async function sowProduct(hands: Hands, person: CastPerson, product: CastProduct): Promise<number> {
  const found = await hands.findProduct(person, product);
  if (found) return found;
  const bytes = await drawCover(product.cover, product.slug);
  const coverKey = await hands.upload(person, { purpose: 'cover', name: 'cover.jpg', type: 'image/jpeg', bytes });
  return hands.createProduct(person, product, coverKey);
}

async function sowPerson(hands: Hands, person: CastPerson, now: Date) {
  await hands.register(person, DEMO_PASSWORD);
  await hands.verify(person);
  if (!person.creator) return;
  await hands.claim(person, person.creator);
  const bytes = await drawAvatar(person.name);
  const avatarKey = await hands.upload(person, { purpose: 'avatar', name: 'avatar.jpg', type: 'image/jpeg', bytes });
  await hands.furnish(person, person.creator, avatarKey);
  for (const product of person.products) {
    const id = await sowProduct(hands, person, product);
    await sowEpisodes(hands, person, { ...product, id }, now);
  }
}

/**
 * Sows the demo data once in the life of a database, and never into one that has other people's accounts already.
 * Every step finds what an earlier start did: one that was cut off in the middle goes on there. @returns whether anything was sown
 */
export async function seedDemo(db: Database, hands: Hands, now: Date): Promise<boolean> {
  const [done] = await db.select().from(milestones).where(eq(milestones.name, MILESTONE));
  if (done) return false;
  const cast = CAST.map(({ email }) => email);
  const [stranger] = await db.select({ id: users.id }).from(users).where(notInArray(users.email, cast)).limit(1);
  if (stranger) return false;
  for (const person of CAST) await sowPerson(hands, person, now);
  await sowPlays(db, cast, now);
  await db.insert(milestones).values({ name: MILESTONE }).onConflictDoNothing();
  return true;
}
