import { and, eq } from 'drizzle-orm';
import { episodeEmailOptOuts } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import type { Language } from '~/locales/languages';
import { languagePrefix, UNSUBSCRIBE_PATH } from '../../base/public-paths';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { linkInvalid } from './errors';
import type { Unsubscribe } from './schema';
import { isSignature, readSignedToken, signatureOf, signToken } from './signed-tokens';

/** The emails to one address about new episodes of one show. */
type EpisodeEmails = { email: string; productId: number };

const SIGNED_FOR = 'unsubscribe from new episodes';

const textOf = ({ email, productId }: EpisodeEmails) => `${productId} ${email}`;

/**
 * The unsubscribe link of an email about new episodes, and the headers with which email clients show their own button
 * (RFC 8058). The link never expires, because people open old emails.
 */
export function unsubscribeLink(
  ctx: Pick<Ctx, 'vault' | 'urls'>,
  emails: EpisodeEmails,
  language: Language,
): { url: string; headers: Record<string, string> } {
  const token = signToken(ctx, textOf(emails), SIGNED_FOR);
  const url = ctx.urls.app(`${languagePrefix(language)}${UNSUBSCRIBE_PATH}?token=${token}`);
  return { url, headers: oneClickHeaders(url) };
}

/** With these headers, email clients unsubscribe without opening the page. */
export const oneClickHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The emails that a link would end, without ending them. @throws notification.link_invalid */
export async function readUnsubscription(ctx: Ctx, input: Unsubscribe): Promise<{ email: string; show: string }> {
  const { email, productId } = readSigned(ctx, input);
  const [product] = await ctx.db.select({ name: products.name }).from(products).where(eq(products.id, productId));
  if (!product) throw linkInvalid();
  return { email, show: product.name };
}

/** Ends the emails about new episodes of a show to an address. Repeating it succeeds. @throws notification.link_invalid */
export async function unsubscribe(ctx: Ctx, input: Unsubscribe): Promise<void> {
  const { email, productId } = readSigned(ctx, input);
  await ctx.db.insert(episodeEmailOptOuts).values({ email, productId, createdAt: ctx.now() }).onConflictDoNothing();
}

/** The emails of a link. @throws notification.link_invalid */
export const readEpisodeEmails = (ctx: Ctx, { token }: { token: string }): EpisodeEmails => readSigned(ctx, { token });

/** Ends the emails about new episodes of several shows to an address. */
export const optOut = (tx: TxCtx, email: string, productIds: number[]): Promise<void> =>
  optOutAll(
    tx,
    productIds.map((productId) => ({ email, productId })),
  );

/** Ends emails about new episodes to several addresses. */
export async function optOutAll(tx: TxCtx, emails: EpisodeEmails[]): Promise<void> {
  if (emails.length === 0) return;
  const rows = emails.map(({ email, productId }) => ({ email, productId, createdAt: tx.now() }));
  await tx.db.insert(episodeEmailOptOuts).values(rows).onConflictDoNothing();
}

/** Reverses an unsubscription, because the owner of the address has requested the emails again. */
export async function resubscribe(tx: TxCtx, { email, productId }: EpisodeEmails): Promise<void> {
  const choice = and(eq(episodeEmailOptOuts.email, email), eq(episodeEmailOptOuts.productId, productId));
  await tx.db.delete(episodeEmailOptOuts).where(choice);
}

/** Whether an address has unsubscribed from emails about new episodes of a show. */
export async function isUnsubscribed(ctx: Ctx, { email, productId }: EpisodeEmails): Promise<boolean> {
  const choice = and(eq(episodeEmailOptOuts.email, email), eq(episodeEmailOptOuts.productId, productId));
  return (await ctx.db.$count(episodeEmailOptOuts, choice)) > 0;
}

/** Accepts only signed tokens for this address and this show. @throws notification.link_invalid */
function readSigned(ctx: Ctx, { token, email, productId, signature }: Unsubscribe): EpisodeEmails {
  if (token !== undefined) return fromToken(readSignedToken(ctx, token, SIGNED_FOR));
  if (!email || !productId || !signature) throw linkInvalid();
  const emails = { email: email.trim().toLowerCase(), productId };
  if (!isSignature(signature, signatureOf(ctx, textOf(emails), SIGNED_FOR))) throw linkInvalid();
  return emails;
}

function fromToken(text: string | null): EpisodeEmails {
  const [, productId, email] = /^(\d{1,15}) (\S+)$/.exec(text ?? '') ?? [];
  if (!email) throw linkInvalid();
  return { email, productId: Number(productId) };
}
