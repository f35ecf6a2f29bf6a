import type { Language } from '~/locales/languages';
import { AppError } from '../../base/errors';
import { FOLLOW_PATH, languagePrefix } from '../../base/public-paths';
import { earlier } from '../../base/time';
import { FOLLOW_LIMITS } from '../../limits/feeds';
import { sendFollowLink } from '../../queue/jobs/feeds';
import { type Ctx, transact } from '../../runtime/ctx';
import { findFollowable, hasUnfollowedSince, startFollowing } from '../access/follow-show';
import { findOrCreateListener } from '../accounts/logins/sign-up';
import { type PageBrand, pageBrandOf } from '../creators/rules';
import type { CoverUrls } from '../media/rules';
import { type AddressClaim, addressToken, lockAddress, readAddressToken } from '../notifications/address-links';
import { countEmails, queueEmail } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import { findProductRecord, listProductsByIds } from '../products/queries';
import { toProductView } from '../products/views';
import { followLinkExpired } from './errors';
import { ensureLinks, type FeedLinkView } from './private-links';
import type { FollowLink, RequestFollow } from './schema';

/**
 * Visitors can follow a free show with an email address, without logging in (docs/decisions/0173). A link proves the
 * address; its page has a button, because mail scanners open links as well.
 */
const TOPIC = 'follow_show';
const SIGNED = { purpose: 'follow a show by email', lifetime: FOLLOW_LIMITS.linkLifetime };

/**
 * Requests the email with the link. Only the job looks for the account, so neither answer nor timing reveals whether it
 * exists or already follows. @throws product.not_found, access.not_free
 */
export async function requestFollow(ctx: Ctx, { email, productId }: RequestFollow): Promise<void> {
  await findFollowable(ctx, productId);
  await transact(ctx, (tx) => tx.jobs.enqueue(sendFollowLink, { email, productId, language: ctx.language }));
}

/** Queues the email, unless the address has reached its daily limit for all shows together. */
export async function queueFollowLink(
  ctx: Ctx,
  { email, productId, language }: RequestFollow & { language: Language },
) {
  const [found] = await listProductsByIds(ctx, [productId]);
  if (!found) return;
  const { product, creator } = found;
  await transact(ctx, async (tx) => {
    await lockAddress(tx, email);
    const since = earlier(tx.now(), FOLLOW_LIMITS.window);
    if ((await countEmails(tx, { to: email, topic: TOPIC, since })) >= FOLLOW_LIMITS.perWindow) return;
    const token = addressToken(tx, { email, id: productId, issuedAt: tx.now() }, SIGNED.purpose);
    const url = tx.urls.app(`${languagePrefix(language)}${FOLLOW_PATH}?token=${token}`);
    const translate = (key: string, params?: Record<string, string | number>) => tx.translate(key, params, language);
    const facts = { name: '', show: product.name, creator: creator.name, url };
    await queueEmail(tx, { to: email, userId: null, topic: TOPIC, language, ...accountEmail(translate, TOPIC, facts) });
  });
}

/** `brand`: the colours of the show’s creator. */
type FollowOffer = { email: string; show: string; cover: CoverUrls; creator: string; brand: PageBrand | null };

/** The show of a link. @throws feed.follow_link_expired */
export async function followLink(ctx: Ctx, { token }: FollowLink): Promise<FollowOffer> {
  const { email, productId } = readLink(ctx, token);
  await findFollowable(ctx, productId).catch(asExpired);
  const record = await findProductRecord(ctx, productId);
  const { name: show, cover } = toProductView(ctx, record);
  return { email, show, cover, creator: record.creator.name, brand: pageBrandOf(record.creator) };
}

export type Followed = {
  email: string;
  productId: number;
  show: string;
  /** False for an account whose address was never verified: it gets no emails about new episodes. */
  isVerified: boolean;
  links: FeedLinkView[];
};

/**
 * Follows the show with the address that got the link, and shows the private feed. If the address has no account, it
 * gets one without a password. The visitor is not logged in. Repeating it is harmless, but after the follow has ended,
 * the link no longer works.
 * @throws feed.follow_link_expired
 */
export async function confirmFollow(ctx: Ctx, { token }: FollowLink): Promise<Followed> {
  const { email, productId, issuedAt } = readLink(ctx, token);
  const product = await findFollowable(ctx, productId).catch(asExpired);
  return transact(ctx, async (tx) => {
    await lockAddress(tx, email);
    const user = await findOrCreateListener(tx, { email, currency: product.currency });
    const follow = { userId: user.id, productId };
    if (await hasUnfollowedSince(tx, follow, issuedAt)) throw followLinkExpired();
    await startFollowing(tx, follow);
    const links = await ensureLinks(tx, follow);
    return { email, productId, show: product.name, isVerified: user.emailVerifiedAt !== null, links };
  });
}

/** Hides from the holder of an old link what happened to the show. */
function asExpired(error: unknown): never {
  throw error instanceof AppError ? followLinkExpired() : error;
}

/** @throws feed.follow_link_expired */
function readLink(ctx: Ctx, token: string): Omit<AddressClaim, 'id'> & { productId: number } {
  const claim = readAddressToken(ctx, token, SIGNED);
  if (!claim) throw followLinkExpired();
  return { email: claim.email, issuedAt: claim.issuedAt, productId: claim.id };
}
