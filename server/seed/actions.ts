import { setTimeout } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { episodes } from '~/db/schema/episodes';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import type { Ctx } from '../ctx';
import { followShow } from '../domain/access/following';
import { updateBillingDetails, updatePayoutAddress } from '../domain/accounts/billing-details';
import { updateAccount } from '../domain/accounts/profile';
import { lookupUserByEmail } from '../domain/accounts/queries';
import { signUp } from '../domain/accounts/signing-up';
import { giveReason, markPageShared } from '../domain/accounts/starting';
import { verifyEmail } from '../domain/accounts/verifying';
import { claimCreatorPage } from '../domain/creators/claiming';
import { updateCreatorPage } from '../domain/creators/page';
import { saveChapters } from '../domain/episodes/chapters';
import { removeEpisode } from '../domain/episodes/deleting';
import { createEpisode, updateEpisode } from '../domain/episodes/drafting';
import * as episodeSchema from '../domain/episodes/schema';
import { uploadTranscript } from '../domain/episodes/transcripts';
import { privateLinks } from '../domain/feeds/private-links';
import { receiveUpload, requestUpload, type UploadPurpose } from '../domain/media/uploading';
import { createProduct } from '../domain/products/drafting';
import { lookupProductBySlug } from '../domain/products/queries';
import * as productSchema from '../domain/products/schema';
import { slugFrom } from '../fields';
import { EPISODE_LIMITS } from '../limits/episodes';
import { requireCreator } from '../policy/actor';
import { DAYS, earlier } from '../time';
import { DEMO_PASSWORD } from './cast';
import { CREDITS } from './credits';
import type { DemoEpisode, DemoPage, DemoPerson, DemoProduct } from './demo-types';
import { drawAvatar, drawCover } from './pictures';
import type { DemoProfile } from './profiles';
import { TRANSCRIPTS } from './transcripts';
import { synthesizeTune } from './tunes';

/** Creates the account unless an earlier start did. */
export async function register(ctx: Ctx, person: DemoPerson): Promise<void> {
  if (ctx.actor.type !== 'visitor') return;
  const { name, email, country, language, birthDate } = person;
  await signUp(ctx, { name, email, password: DEMO_PASSWORD, country, language, birthDate, terms: true });
}

/** Follows the link in the verification email. */
export async function verify(ctx: Ctx, { email }: DemoPerson): Promise<void> {
  const user = await lookupUserByEmail(ctx, email);
  if (user?.emailVerifiedAt) return;
  const [message] = await ctx.db.select({ text: outbox.text }).from(outbox).where(eq(outbox.to, email));
  const token = /token=(\S+)/.exec(message?.text ?? '')?.[1];
  if (token) await verifyEmail(ctx, { token });
}

/** As in the settings, with a drawn avatar. */
export async function fillProfile(ctx: Ctx, name: string, profile: DemoProfile): Promise<void> {
  const { description, timeZone, iban = '', paypalEmail = '', ...invoice } = profile;
  const bytes = await drawAvatar(name);
  const avatarKey = await upload(ctx, { purpose: 'avatar', name: 'avatar.jpg', type: 'image/jpeg', bytes });
  await updateAccount(ctx, { description, timeZone, avatarKey });
  await updatePayoutAddress(ctx, { iban, paypalEmail, currentPassword: DEMO_PASSWORD });
  await updateBillingDetails(ctx, invoice);
}

/** Imports of subscribers, which do not exist yet, create accounts without a country and a language. */
export async function forgetChoices(ctx: Ctx, { email }: DemoPerson): Promise<void> {
  await ctx.db.update(users).set({ country: null, language: null }).where(eq(users.email, email));
}

export async function claimPage(ctx: Ctx, { name, domain, timeZone }: DemoPage): Promise<void> {
  const isClaimed = ctx.actor.type === 'user' && ctx.actor.creatorId !== null;
  if (!isClaimed) await claimCreatorPage(ctx, { name, domain, timeZone });
}

export async function updatePage(ctx: Ctx, { name, about, buttonColor }: DemoPage): Promise<void> {
  if (!about) return;
  const bytes = await drawAvatar(name);
  const avatarKey = await upload(ctx, { purpose: 'avatar', name: 'avatar.jpg', type: 'image/jpeg', bytes });
  await updateCreatorPage(ctx, { aboutTitle: about.title, aboutText: about.text, buttonColor, avatarKey });
}

/** What the start wizard asks: why, and whether the page is shared. */
export async function answerStart(ctx: Ctx, { reason, products }: DemoPerson): Promise<void> {
  if (reason) await giveReason(ctx, { reason });
  if (products.length > 0) await markPageShared(ctx);
}

/** @returns the product's id, whether created now or by an earlier start */
export async function ensureProduct(ctx: Ctx, product: DemoProduct): Promise<number> {
  const existing = await lookupProductBySlug(ctx, requireCreator(ctx).creatorId, product.slug);
  if (existing) return existing.product.id;
  const { kind, name, slug, description, category, language } = product;
  const { price, annualPrice, paysWhatTheyWant, trialDays, namesListener, feedLength, earlyAccessDays, dripDays } =
    product;
  const bytes = await drawCover(product.cover, slug);
  const coverKey = await upload(ctx, { purpose: 'cover', name: 'cover.jpg', type: 'image/jpeg', bytes });
  const prices = price ? { planType: 'paid', price, annualPrice, paysWhatTheyWant, trialDays } : {};
  const feed = { namesListener, feedLength, earlyAccessDays, dripDays };
  const input = { kind, name, slug, description, category, language, coverKey, ...feed, ...prices };
  return (await createProduct(ctx, productSchema.createProduct.parse(input))).id;
}

/** Follows shows, and creates the addresses of their private feeds. */
export async function followShows(ctx: Ctx, { follows = [] }: DemoPerson): Promise<void> {
  for (const slug of follows) {
    const [product] = await ctx.db.select({ id: products.id }).from(products).where(eq(products.slug, slug));
    if (!product) continue;
    await followShow(ctx, { productId: product.id });
    await privateLinks(ctx, { productId: product.id });
  }
}

/** Creates the episode unless an earlier start did, as of its release date or today, whichever is earlier. */
export async function ensureEpisode(ctx: Ctx, product: DemoProduct & { id: number }, episode: DemoEpisode) {
  const { name, description, type = 'public', season, number, daysAgo, state } = episode;
  const slug = slugFrom(name, EPISODE_LIMITS.slugLength);
  // a deleted one has given its slug up
  const existing = and(eq(episodes.productId, product.id), eq(episodes.slug, slug));
  if ((await ctx.db.$count(episodes, existing)) > 0) return;
  if (product.price && type === 'public') await untilChecked(ctx, product.id);
  const now = ctx.now();
  const bytes = state === 'failed' ? NOT_MP3 : await tuneOf(product, episode);
  const fileName = `${product.slug}-${number ?? state ?? type}.mp3`;
  const fileKey = await upload(ctx, { purpose: 'episode_audio', name: fileName, type: 'audio/mpeg', bytes });
  const releaseDate = state ? null : earlier(now, DAYS(daysAgo));
  const described = { kind: product.kind, productId: product.id, name, description, type, season, number, slug };
  const release = { releaseDate, hold: state === 'draft', sendEmail: episode.isAnnounced ?? false };
  const input = episodeSchema.createEpisode.parse({ ...described, ...release, fileKey });
  const createdAt = new Date(Math.min(releaseDate?.getTime() ?? Number.POSITIVE_INFINITY, now.getTime()));
  const { id } = await createEpisode({ ...ctx, now: () => createdAt }, input);
  const ref = { id, kind: product.kind };
  if (episode.chapters)
    await saveChapters(ctx, episodeSchema.saveChapters.parse({ ...ref, chapters: await chaptersOf(ctx, episode) }));
  const credits = CREDITS[name];
  if (credits) await updateEpisode(ctx, { ...ref, ...credits });
  const transcript = TRANSCRIPTS[name];
  if (transcript)
    await uploadTranscript(ctx, {
      ...ref,
      fileName: 'transcript.vtt',
      content: Buffer.from(transcript).toString('base64'),
    });
  if (episode.hasPromo) await addPromo(ctx, ref, `${product.slug}/${name}`);
  if (state === 'deleted') await removeEpisode(ctx, ref);
}

async function chaptersOf(ctx: Ctx, { chapters = [], hasPictures }: DemoEpisode) {
  if (!hasPictures) return chapters;
  const file = { purpose: 'chapter_image', name: 'chapter.jpg', type: 'image/jpeg' } as const;
  const withPicture = [];
  for (const chapter of chapters)
    withPicture.push({ ...chapter, imageKey: await upload(ctx, { ...file, bytes: await drawAvatar(chapter.title) }) });
  return withPicture;
}

const kept = new Map<string, Buffer>();

async function tuneOf({ slug, hasOneTune }: DemoProduct, { name, seconds }: DemoEpisode): Promise<Buffer> {
  const bytes = kept.get(slug) ?? (await synthesizeTune(`${slug}/${name}`, seconds));
  if (hasOneTune) kept.set(slug, bytes);
  return bytes;
}

/** A paid show has a place for a public episode once a worker has checked and published a private one. */
async function untilChecked(ctx: Ctx, productId: number): Promise<void> {
  const unchecked = and(eq(episodes.productId, productId), eq(episodes.status, 'in_progress'));
  while ((await ctx.db.$count(episodes, unchecked)) > 0) await setTimeout(100);
}

/** What creators upload by mistake: another format with the name of an MP3. */
const NOT_MP3 = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(4096)]);

/** The first seconds of its tune. */
async function addPromo(ctx: Ctx, ref: { id: number; kind: DemoProduct['kind'] }, tune: string): Promise<void> {
  const bytes = await synthesizeTune(tune, PROMO_SECONDS);
  const promoKey = await upload(ctx, { purpose: 'promo', name: 'promo.mp3', type: 'audio/mpeg', bytes });
  await updateEpisode(ctx, { ...ref, promoKey });
}

const PROMO_SECONDS = 12;

type DemoFile = { purpose: UploadPurpose; name: string; type: string; bytes: Buffer };

/** @returns the upload's key */
export async function upload(ctx: Ctx, { purpose, name, type, bytes }: DemoFile): Promise<string> {
  const file = { fileName: name, contentType: type, fileSize: bytes.length, purpose };
  const { key } = await requestUpload(ctx, file);
  await ctx.ports.storage.put(`incoming/${key}`, bytes, { contentType: type });
  await receiveUpload(ctx, key, bytes.length);
  return key;
}
