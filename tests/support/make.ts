import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { episodes } from '~/db/schema/episodes';
import { formerProductSlugs, products } from '~/db/schema/products';
import { claimSlug } from '~/db/slug-history';
import type { Language } from '~/locales/languages';
import { currencyOf } from '~/server/base/money';
import { HOURS, later } from '~/server/base/time';
import { queueVerificationEmail } from '~/server/domain/accounts/logins/verify-email';
import { receiveUpload, requestUpload, type UploadPurpose } from '~/server/domain/media/uploads';
import { freeSlug } from '~/server/domain/products/product-slugs';
import { transact } from '~/server/runtime/ctx';
import type { Runtime } from '~/server/runtime/runtime';
import type { Caller } from '~/server/trpc/caller';
import { acting } from './acting';
import { mp3 } from './mp3';
import { BASE_TIME } from './open-test-runtime';
import { picture } from './pictures';

export type Person = {
  id: number;
  email: string;
  token: string;
  creatorId: number | null;
  domain: string | null;
  api: Caller;
};
export type Creator = Person & { creatorId: number; domain: string };
type Owner = Pick<Person, 'token' | 'api'>;
type NewProduct = Parameters<Caller['products']['create']>[0];
type ProductKind = NewProduct['kind'];
type NewEpisode = Parameters<Caller['episodes']['create']>[0];
type EpisodeValues = Partial<typeof episodes.$inferInsert>;

/** The cover that the cast has stored in every size. */
export type StoredCover = { key: string; bytes: Buffer };
type Supplies = { passwordHash: string; cover: StoredCover | null };

export const PASSWORD = 'correct horse';
const PRODUCT = {
  kind: 'podcast' as const,
  name: 'Ruido de fondo',
  description: 'Historias que se oyen.',
  category: 1501,
  language: 'es',
};
/** The birth date of test users, old enough to become creators. */
const ADULT = '1990-05-01';
const TYPES: Record<UploadPurpose, string> = {
  episode_audio: 'audio/mpeg',
  promo: 'audio/mpeg',
  insertion_audio: 'audio/mpeg',
  cover: 'image/png',
  avatar: 'image/png',
  chapter_image: 'image/png',
  edition_picture: 'image/png',
  newsletter_logo: 'image/png',
  subscribers: 'text/csv',
  statistics: 'text/csv',
  contacts: 'text/csv',
};

/** Creates people, files, shows and episodes in a test's database. */
export function makers(runtime: Runtime, { passwordHash, cover }: Supplies) {
  const { db } = runtime;
  const { as, ctxOf, visitorCtx } = acting(runtime);

  /** A user with an account, in the state after signing up. */
  async function person(
    over: { name?: string; email?: string; language?: Language; country?: string; birthDate?: string | null } = {},
  ): Promise<Person> {
    const { name = 'Tom', language = 'en', country = 'ES', birthDate = ADULT } = over;
    const { email = `p${randomHex()}@mail.example` } = over;
    const user = await transact(visitorCtx(), async (tx) => {
      const account = { name, email, passwordHash, country, language, birthDate, currency: currencyOf(country) };
      const [row] = await tx.db
        .insert(users)
        .values({ ...account, termsAcceptedAt: tx.now() })
        .returning();
      await queueVerificationEmail(tx, row!);
      return row!;
    });
    const { token } = await runtime.sessions.start(user.id, { channel: 'web', userAgent: '', country: null });
    return { token, email, id: user.id, creatorId: null, domain: null, api: await as({ token }) };
  }

  /** A user with a creator page and a verified address, which publishing requires. */
  async function creator(
    over: { name?: string; email?: string; domain?: string; timeZone?: string; country?: string } = {},
  ): Promise<Creator> {
    const { name = 'Lucía', domain = `d${randomUUID().slice(0, 12)}`, timeZone = 'Europe/Madrid', ...account } = over;
    const owner = await person({ name, ...account });
    const page = await owner.api.creators.claim({ name, domain, timeZone });
    await db.update(users).set({ emailVerifiedAt: runtime.now() }).where(eq(users.id, owner.id));
    return { ...owner, creatorId: page.id, domain, api: await as(owner) };
  }

  /** A received upload. @returns its key */
  async function upload({ token }: { token: string }, purpose: UploadPurpose, bytes?: Buffer): Promise<string> {
    const session = await runtime.sessions.read(token);
    const owner = { id: session!.userId, creatorId: session!.creatorId };
    const ctx = ctxOf(owner);
    const contentType = TYPES[purpose];
    const isAudio = contentType === 'audio/mpeg';
    const content = bytes ?? (isAudio ? mp3(3) : await usualPicture(owner.id));
    const fileName = isAudio ? 'file.mp3' : contentType === 'text/csv' ? 'list.csv' : 'file.png';
    const { key } = await requestUpload(ctx, { fileName, contentType, fileSize: content.length, purpose });
    await runtime.ports.storage.put(`incoming/${key}`, content, { contentType });
    await receiveUpload(ctx, key, content.length);
    return key;
  }

  /** The cast's cover, copied into the user's folder in every size, so that it is not encoded again. */
  async function usualPicture(userId: number): Promise<Buffer> {
    if (!cover) return picture();
    const { storage } = runtime.ports;
    const base = `images/${userId}/${path.basename(cover.key)}`;
    if (base === cover.key) return cover.bytes;
    const stored = await storage.list(`${cover.key}/`, 10);
    await Promise.all(stored.map(({ key }) => storage.copy(key, `${base}/${path.basename(key)}`)));
    return cover.bytes;
  }

  /** The input of `products.create`, with an uploaded cover unless one is given. */
  const productInput = async (owner: { token: string }, over: Partial<NewProduct> = {}): Promise<NewProduct> => ({
    ...PRODUCT,
    ...over,
    coverKey: over.coverKey ?? (await upload(owner, 'cover')),
  });

  /** A free podcast, inserted with any columns. */
  async function product({ creatorId }: { creatorId: number }, over: Partial<typeof products.$inferInsert> = {}) {
    const slug = over.slug ?? (await freeSlug(visitorCtx(), creatorId, over.name ?? PRODUCT.name));
    const coverKey = cover?.key ?? 'images/0/none';
    const feedGuid = randomUUID();
    const seen = { changedAt: runtime.now(), firstPublishSeenAt: runtime.now() };
    const values = { ...PRODUCT, coverKey, currency: 'eur' as const, feedGuid, ...seen, ...over };
    return db.transaction(async (tx) => {
      await claimSlug(tx, formerProductSlugs, { scopeId: creatorId, slug });
      const [row] = await tx
        .insert(products)
        .values({ ...values, creatorId, slug })
        .returning();
      return row!;
    });
  }

  /** A new episode, whose audio has not been checked yet. */
  async function draft(owner: Owner, show: { id: number; kind: ProductKind }, over: Partial<NewEpisode> = {}) {
    const { fileKey = await upload(owner, 'episode_audio'), ...fields } = over;
    const texts = { name: 'Primera ola', description: 'De qué va.' };
    return owner.api.episodes.create({ kind: show.kind, productId: show.id, ...texts, ...fields, fileKey });
  }

  /**
   * Inserts episodes with any columns, released one hour apart, each with two minutes of checked audio at 128 kbit/s
   * after a head of 1,000 bytes. Their files do not exist.
   */
  const insertEpisodes = (
    show: { id: number; creatorId: number },
    count: number,
    over: (i: number) => EpisodeValues = () => ({}),
  ) =>
    db
      .insert(episodes)
      .values(Array.from({ length: count }, (_, i) => ({ ...publishedEpisode(show, i), ...over(i) })))
      .returning();

  return { person, creator, upload, productInput, product, draft, episodes: insertEpisodes };
}

const randomHex = () => randomUUID().replaceAll('-', '');

function publishedEpisode({ id, creatorId }: { id: number; creatorId: number }, i: number) {
  const name = `Episodio ${i + 1}`;
  return {
    creatorId,
    productId: id,
    name,
    slug: `episodio-${i + 1}`,
    description: `<p>De qué va el ${name}.</p>`,
    type: 'public' as const,
    status: 'published' as const,
    releaseAt: later(BASE_TIME, HOURS(i)),
    guid: randomUUID(),
    uploadKey: randomUUID(),
    fileName: 'audio.mp3',
    audioKey: `audio/${creatorId}/${i}/abc.mp3`,
    audioBytes: 1_921_000,
    headBytes: 1000,
    durationMs: 120_000,
    bitrate: 128_000,
  };
}
