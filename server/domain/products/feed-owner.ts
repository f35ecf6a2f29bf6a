import { and, eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { products } from '~/db/schema/products';
import { FEED_OWNER_PATH, languagePrefix } from '../../base/public-paths';
import { earlier, later, wholeSeconds } from '../../base/time';
import { EMAIL_LINK_LIMITS } from '../../limits/accounts';
import { FEED_OWNER_LIMITS } from '../../limits/products';
import { requireUser } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { countEmails, countEmailsOf, queueEmail } from '../notifications/outbox';
import { isSignature } from '../notifications/signed-tokens';
import { accountEmail } from '../notifications/templates/account-email';
import { recordAbout } from '../team/activity';
import { ownerLinkExpired, tooManyOwnerEmails } from './errors';
import { markProductChanged } from './mark-product-changed';
import { findProductRecord, type ProductRow } from './queries';
import type { FeedOwnerLink, FindProduct } from './schema';

/**
 * The address of a feed's owner (`itunes:owner`) is public, and directories send it the codes that hand over a show. It
 * appears in the feed only once its owner has opened a link. The link is signed, and names the address and the show.
 */
const TOPIC = 'confirm_feed_owner';
type Claim = { email: string; productId: number; expiresAt: number };

const signatureOf = ({ vault }: Pick<Ctx, 'vault'>, { email, productId, expiresAt }: Claim) =>
  vault.fingerprint(`${productId} ${expiresAt} ${email}`, 'owner of a feed');

type Owner = Pick<ProductRow, 'ownerEmail' | 'ownerEmailVerifiedAt'>;
export const NO_OWNER: Owner = { ownerEmail: null, ownerEmailVerifiedAt: null };

/**
 * The values to store for a new address: the current user's own verified address needs no link. The address can take a
 * show over at a directory, so editors may not change it. @throws common.role_not_allowed
 */
export async function ownerEmailChange(
  ctx: Ctx,
  before: Owner & { creatorId: number },
  email: string | null,
): Promise<Owner> {
  const { ownerEmail, ownerEmailVerifiedAt } = before;
  if (email === ownerEmail) return { ownerEmail, ownerEmailVerifiedAt };
  authorize(ctx, 'product.handOver', before);
  return { ownerEmail: email, ownerEmailVerifiedAt: email && (await isOwnAddress(ctx, email)) ? ctx.now() : null };
}

/** Whether the new address is a different one that still needs verification. */
export function needsOwnerEmail<After extends Owner>(
  after: After,
  before: Owner,
): after is After & { ownerEmail: string } {
  const { ownerEmail, ownerEmailVerifiedAt } = after;
  return ownerEmail !== null && ownerEmail !== before.ownerEmail && ownerEmailVerifiedAt === null;
}

async function isOwnAddress(ctx: Ctx, email: string): Promise<boolean> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  return user.email === email && user.emailVerifiedAt !== null;
}

/**
 * Queues the email with the link, in the transaction that stores the address.
 * @throws product.too_many_owner_emails if this address or this account has reached its daily limit
 */
export async function queueOwnerEmail(tx: TxCtx, { id, name }: Pick<ProductRow, 'id' | 'name'>, email: string) {
  const { userId } = requireUser(tx);
  // concurrent requests are counted one after the other
  await tx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
  const toAddress = await countEmails(tx, {
    to: email,
    topic: TOPIC,
    since: earlier(tx.now(), EMAIL_LINK_LIMITS.window),
  });
  const ofAccount = await countEmailsOf(tx, {
    userId,
    topic: TOPIC,
    since: earlier(tx.now(), FEED_OWNER_LIMITS.window),
  });
  if (toAddress >= EMAIL_LINK_LIMITS.perWindow || ofAccount >= FEED_OWNER_LIMITS.perAccount)
    throw tooManyOwnerEmails({ seconds: wholeSeconds(FEED_OWNER_LIMITS.window) });
  const expiresAt = later(tx.now(), FEED_OWNER_LIMITS.linkLifetime).getTime();
  const url = linkTo(tx, { email, productId: id, expiresAt });
  const { subject, content } = accountEmail(tx.translate, TOPIC, { name, url, email });
  await queueEmail(tx, { to: email, userId, topic: TOPIC, language: tx.language, subject, content });
}

function linkTo(tx: TxCtx, claim: Claim): string {
  const text = Buffer.from(`${claim.productId} ${claim.expiresAt} ${claim.email}`).toString('base64url');
  return tx.urls.app(`${languagePrefix(tx.language)}${FEED_OWNER_PATH}?token=${text}.${signatureOf(tx, claim)}`);
}

/** Sends the link again, unless the address is verified. @throws product.too_many_owner_emails */
export async function resendOwnerEmail(ctx: Ctx, { id, kind }: FindProduct): Promise<void> {
  const { product: found } = await findProductRecord(ctx, id, kind);
  const product = authorize(ctx, 'product.manage', found);
  const { ownerEmail, ownerEmailVerifiedAt } = product;
  if (!ownerEmail || ownerEmailVerifiedAt) return;
  await transact(ctx, async (tx) => {
    await queueOwnerEmail(tx, product, ownerEmail);
    await recordAbout(tx, 'product.owner_asked', product);
  });
}

/**
 * The address that a link would verify. @throws product.owner_link_expired, also if the show has another address by now
 */
export async function feedOwnerLink(
  ctx: Ctx,
  input: FeedOwnerLink,
): Promise<{ email: string; show: string; isVerified: boolean }> {
  const { product, email } = await findClaimed(ctx, input);
  return { email, show: product.name, isVerified: product.ownerEmailVerifiedAt !== null };
}

/** Publishes the address in the feed. Repeating it succeeds. @throws product.owner_link_expired */
export async function confirmFeedOwner(ctx: Ctx, input: FeedOwnerLink): Promise<{ email: string; show: string }> {
  const { product, email } = await findClaimed(ctx, input);
  await transact(ctx, async (tx) => {
    const claimed = and(eq(products.id, product.id), eq(products.ownerEmail, email));
    const changed = await tx.db
      .update(products)
      .set({ ownerEmailVerifiedAt: tx.now() })
      .where(claimed)
      .returning({ id: products.id });
    if (changed.length === 0) throw ownerLinkExpired();
    await markProductChanged(tx, product.id);
    await markCreatorChanged(tx, product.creatorId);
  });
  return { email, show: product.name };
}

async function findClaimed(ctx: Ctx, { token }: FeedOwnerLink): Promise<{ product: ProductRow; email: string }> {
  const { productId, email } = readClaim(ctx, token);
  const { product } = await findProductRecord(ctx, productId).catch(() => {
    throw ownerLinkExpired();
  });
  if (product.ownerEmail !== email) throw ownerLinkExpired();
  return { product, email };
}

/** Accepts only signed links that have not expired. */
function readClaim(ctx: Ctx, token: string): Claim {
  const [text = '', signature = ''] = token.split('.');
  const parts = /^(\d{1,15}) (\d{1,15}) (\S+)$/.exec(Buffer.from(text, 'base64url').toString());
  if (!parts) throw ownerLinkExpired();
  const claim = { productId: Number(parts[1]), expiresAt: Number(parts[2]), email: parts[3] as string };
  if (!isSignature(signature, signatureOf(ctx, claim)) || claim.expiresAt <= ctx.now().getTime())
    throw ownerLinkExpired();
  return claim;
}
