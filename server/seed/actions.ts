import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import { followShow } from '../domain/access/follow-show';
import { lookupUserByEmail } from '../domain/accounts/base/queries';
import { signUp } from '../domain/accounts/logins/sign-up';
import { verifyEmail } from '../domain/accounts/logins/verify-email';
import { updateBillingDetails, updatePayoutAddress } from '../domain/accounts/settings/billing-details';
import { updateAccount } from '../domain/accounts/settings/profile';
import { giveReason, markPageShared } from '../domain/accounts/settings/start-progress';
import { claimCreatorPage } from '../domain/creators/claim-page';
import { updateCreatorPage } from '../domain/creators/page';
import { privateLinks } from '../domain/feeds/private-links';
import { receiveUpload, requestUpload, type UploadPurpose } from '../domain/media/uploads';
import { createProduct } from '../domain/products/draft-product';
import { lookupProductBySlug } from '../domain/products/queries';
import * as productSchema from '../domain/products/schema';
import { requireCreator } from '../policy/actor';
import type { Ctx } from '../runtime/ctx';
import { DEMO_PASSWORD } from './cast';
import type { DemoPage, DemoPerson, DemoProduct } from './demo-types';
import { drawAvatar, drawCover } from './pictures';
import type { DemoProfile } from './profiles';

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

/** Fills in the settings, with a drawn avatar. */
export async function fillProfile(ctx: Ctx, name: string, profile: DemoProfile): Promise<void> {
  const { description, timeZone, iban = '', paypalEmail = '', ...invoice } = profile;
  const bytes = await drawAvatar(name);
  const avatarKey = await upload(ctx, { purpose: 'avatar', name: 'avatar.jpg', type: 'image/jpeg', bytes });
  await updateAccount(ctx, { description, timeZone, avatarKey });
  await updatePayoutAddress(ctx, { iban, paypalEmail, currentPassword: DEMO_PASSWORD });
  await updateBillingDetails(ctx, invoice);
}

/** Removes the country and the language, as in an account that an import of subscribers has created. */
export async function forgetChoices(ctx: Ctx, { email }: DemoPerson): Promise<void> {
  await ctx.db.update(users).set({ country: null, language: null }).where(eq(users.email, email));
}

export async function claimPage(ctx: Ctx, { name, domain, timeZone }: DemoPage): Promise<void> {
  const isClaimed = ctx.actor.type === 'user' && ctx.actor.creatorId !== null;
  if (!isClaimed) await claimCreatorPage(ctx, { name, domain, timeZone });
}

export async function updatePage(ctx: Ctx, { name, about, buttonColor, showNewsletter }: DemoPage): Promise<void> {
  if (!about) return;
  const bytes = await drawAvatar(name);
  const avatarKey = await upload(ctx, { purpose: 'avatar', name: 'avatar.jpg', type: 'image/jpeg', bytes });
  const texts = { aboutTitle: about.title, aboutText: about.text };
  await updateCreatorPage(ctx, { ...texts, buttonColor, avatarKey, showNewsletter });
}

/** Answers the start wizard: the reason, and whether the page is shared. */
export async function answerStart(ctx: Ctx, { reason, products }: DemoPerson): Promise<void> {
  if (reason) await giveReason(ctx, { reason });
  if (products.length > 0) await markPageShared(ctx);
}

/** @returns the id of the product, which this or an earlier start has created */
export async function ensureProduct(ctx: Ctx, product: DemoProduct): Promise<number> {
  const existing = await lookupProductBySlug(ctx, requireCreator(ctx).creatorId, product.slug);
  if (existing) return existing.product.id;
  const { kind, name, slug, description, category, language } = product;
  const {
    price,
    annualPrice,
    paysWhatTheyWant,
    trialDays,
    benefits,
    namesListener,
    feedLength,
    earlyAccessDays,
    dripDays,
  } = product;
  const bytes = await drawCover(product.cover, slug);
  const coverKey = await upload(ctx, { purpose: 'cover', name: 'cover.jpg', type: 'image/jpeg', bytes });
  const prices = price ? { planType: 'paid', price, annualPrice, paysWhatTheyWant, trialDays } : {};
  const feed = { benefits, namesListener, feedLength, earlyAccessDays, dripDays };
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

type DemoFile = { purpose: UploadPurpose; name: string; type: string; bytes: Buffer };

/** @returns the upload's key */
export async function upload(ctx: Ctx, { purpose, name, type, bytes }: DemoFile): Promise<string> {
  const file = { fileName: name, contentType: type, fileSize: bytes.length, purpose };
  const { key } = await requestUpload(ctx, file);
  await ctx.ports.storage.put(`incoming/${key}`, bytes, { contentType: type });
  await receiveUpload(ctx, key, bytes.length);
  return key;
}
