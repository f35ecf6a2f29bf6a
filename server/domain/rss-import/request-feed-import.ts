import { randomBytes } from 'node:crypto';
import { and, eq, inArray, lte, not } from 'drizzle-orm';
import { rssImports } from '~/db/schema/rss-import';
import { type FeedPreview, OPEN_STATUSES } from '~/db/values/rss-import';
import { hashToken } from '../../auth/token-hash';
import { tooManyRequests } from '../../base/errors';
import { CONFIRM_IMPORT_PATH, languagePrefix } from '../../base/public-paths';
import { earlier, later, wholeSeconds } from '../../base/time';
import type { ImportedFeed } from '../../feed/reader/model';
import { EMAIL_LINK_LIMITS } from '../../limits/accounts';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact, violates } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { requireVerifiedEmail } from '../accounts/logins/verify-email';
import { countEmails, countEmailsOf, queueEmail } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import { requireRoomForProduct } from '../plans/quotas';
import { requireSwitch } from '../reference/switches';
import { recordActivity } from '../team/activity';
import { alreadyImporting, noOwnerAddress, tooManyImportEmails } from './errors';
import { isOldFeedPrivate } from './old-feeds';
import { newestFirst, toPreviewedItem } from './poll-outcomes';
import { previewCover } from './preview-cover';
import { findImportView, lookupImportedShow } from './queries';
import { readFeed } from './read-feed';
import { feedAddress, maskAddress, previewOf } from './rules';
import type { PreviewFeed, RequestImport } from './schema';
import type { ImportView } from './views';

const TOPIC = 'confirm_import';
const TOKEN_BYTES = 32;
const CODE_BYTES = 12;

export type PreviewedFeed = FeedPreview & {
  url: string;
  /** The cover as a small data URL. */
  picture: string | null;
  /** The newest episodes, by which a creator recognizes the feed. */
  latest: { title: string; publishedAt: string | null; durationMs: number | null }[];
  /** The address of the feed's owner, masked; null if the feed states none. */
  sentTo: string | null;
  /** The show that an earlier import of this feed has created, and that another import updates. */
  updates: { id: number; name: string } | null;
};

/** A preview of the import of a feed. Stores nothing. @throws fetch.*, import.not_a_feed, import.no_episodes */
export async function previewFeed(ctx: Ctx, input: PreviewFeed): Promise<PreviewedFeed> {
  const { creatorId } = authorize(ctx, 'product.manage', requireCreator(ctx));
  await assertNoneOpen(ctx, creatorId);
  const url = feedAddress(input.url);
  const { feed, parsed } = await readFeed(ctx, url);
  const [contact] = feed.contacts;
  const sentTo = contact ? maskAddress(contact.email) : null;
  const updates = await lookupImportedShow(ctx, { creatorId, feedUrl: url });
  const preview = previewOf(feed, parsed);
  const picture = preview.cover && (await previewCover(ctx, preview.cover));
  return { ...preview, url, picture, latest: latestOf(feed), sentTo, updates };
}

const latestOf = (feed: ImportedFeed): PreviewedFeed['latest'] =>
  newestFirst(feed.episodes).slice(0, IMPORT_LIMITS.previewedEpisodes).map(toPreviewedItem);

/**
 * Asks the feed's owner by email whether this creator may import it (spec §4), or waits for a code in the feed. A
 * creator has one import at a time: of two concurrent requests, the unique index lets one through.
 * @throws import.already_importing, import.no_owner_address, import.too_many_emails, account.email_not_verified,
 * plan.max_free_products, switch.off, and as previewFeed
 */
export async function requestImport(ctx: Ctx, input: RequestImport): Promise<ImportView> {
  const { creatorId, userId } = authorize(ctx, 'product.manage', requireCreator(ctx));
  await requireSwitch(ctx, 'imports', { subject: creatorId, creatorId });
  await requireVerifiedEmail(ctx);
  await assertNoneOpen(ctx, creatorId);
  const feedUrl = feedAddress(input.url);
  const { feed, parsed } = await readFeed(ctx, feedUrl);
  const to = input.proof === 'email' ? feed.contacts[0]?.email : null;
  if (to === undefined) throw noOwnerAddress();
  const preview = previewOf(feed, parsed);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');

  const id = await transact(ctx, async (tx) => {
    const show = await lookupImportedShow(tx, { creatorId, feedUrl });
    if (!show) await requireRoomForProduct(tx, { creatorId, isPaid: false });
    if (to) await assertEmailsLeft(tx, { to, userId });
    const [row] = await tx.db
      .insert(rssImports)
      .values({
        ...{ creatorId, userId, feedUrl, preview, sentTo: to, productId: show?.id ?? null },
        status: 'awaiting_proof',
        keepsFollowing: input.follow,
        // another import of a show that is private brings private episodes, too
        isPrivate: input.isPrivate || (show !== null && (await isOldFeedPrivate(tx, show.id))),
        tokenHash: hashToken(token),
        proofCode: `altavoz-${randomBytes(CODE_BYTES).toString('hex')}`,
        expiresAt: later(tx.now(), IMPORT_LIMITS.proofFor),
        ...{ createdAt: tx.now(), updatedAt: tx.now() },
      })
      .returning({ id: rssImports.id });
    const params = { name: preview.title };
    await recordActivity(tx, { creatorId, action: 'import.requested', subjectId: row!.id, params });
    if (to) await queueRequest(tx, { to, token, title: preview.title, userId });
    return row!.id;
  }).catch((error) => {
    throw violates(error, 'rss_imports_one_at_a_time') ? alreadyImporting() : error;
  });
  return findImportView(ctx, id);
}

/** Ends an import whose link has expired, to make room for another. @throws import.already_importing */
async function assertNoneOpen(ctx: Ctx, creatorId: number): Promise<void> {
  await expireImports(ctx, creatorId);
  const isOpen = and(inArray(rssImports.status, OPEN_STATUSES), not(rssImports.isFollowUp));
  const open = and(eq(rssImports.creatorId, creatorId), isOpen);
  if ((await ctx.db.$count(rssImports, open)) > 0) throw alreadyImporting();
}

/** Ends imports that were not confirmed in time, of one creator or of all. */
export async function expireImports(ctx: Ctx, creatorId?: number): Promise<void> {
  const overdue = and(eq(rssImports.status, 'awaiting_proof'), lte(rssImports.expiresAt, ctx.now()));
  await ctx.db
    .update(rssImports)
    .set({ status: 'expired', endedAt: ctx.now(), updatedAt: ctx.now() })
    .where(and(overdue, creatorId === undefined ? undefined : eq(rssImports.creatorId, creatorId)));
}

/** Limits the emails that one account sends, and those that one address receives. */
async function assertEmailsLeft(tx: TxCtx, { to, userId }: { to: string; userId: number }): Promise<void> {
  const since = earlier(tx.now(), EMAIL_LINK_LIMITS.window);
  if ((await countEmails(tx, { to, topic: TOPIC, since })) >= EMAIL_LINK_LIMITS.perWindow)
    throw tooManyRequests(wholeSeconds(EMAIL_LINK_LIMITS.window));
  if ((await countEmailsOf(tx, { userId, topic: TOPIC, since })) >= IMPORT_LIMITS.emailsPerDay)
    throw tooManyImportEmails({ limit: IMPORT_LIMITS.emailsPerDay, seconds: wholeSeconds(EMAIL_LINK_LIMITS.window) });
}

type Request = { to: string; token: string; title: string; userId: number };

/** Uses the requester's language, because the language of the feed's owner is unknown. */
async function queueRequest(tx: TxCtx, { to, token, title, userId }: Request): Promise<void> {
  const user = await findUser(tx, userId);
  const language = user.language ?? tx.language;
  const translate = (key: string, values?: Record<string, string | number>) => tx.translate(key, values, language);
  const url = tx.urls.app(`${languagePrefix(language)}${CONFIRM_IMPORT_PATH}?token=${token}`);
  const facts = { name: '', url, show: title, from: user.email };
  const { subject, content } = accountEmail(translate, TOPIC, facts);
  await queueEmail(tx, { to, userId, topic: TOPIC, language, subject, content });
}
