import { and, asc, eq, gt, or, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { accountExports, billingDetails, emailChanges, notificationOptOuts, sessions } from '~/db/schema/accounts';
import { creatorBackups } from '~/db/schema/creator-backup';
import { creators, domains } from '~/db/schema/creators';
import { announcements, episodeChapters, episodeTranscripts, promos } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { feedLinks, sharedFeeds } from '~/db/schema/feeds';
import { gifts } from '~/db/schema/gifts';
import { episodePositions, episodeTotals } from '~/db/schema/listening';
import { authenticators, identities, passkeys } from '~/db/schema/logins';
import { uploads } from '~/db/schema/media';
import { episodeEmailOptOuts, outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import { activity, invitations, members } from '~/db/schema/team';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { EXPORT_LIMITS } from '../../../limits/accounts';
import type { Ctx } from '../../../runtime/ctx';
import type { UserRow } from '../base/queries';
import { affiliatesOf } from './affiliate-data';
import { fromCreators, toBuyers } from './buyer-messages';
import { contactsOf, newslettersOf } from './contact-lists';
import { donationFiles, receivedDonations } from './donations';
import { messageFiles } from './messages';
import { receiptFiles } from './own-payments';
import { type DataFile, inPages, json, jsonRows } from './rows';
import { statisticsFiles } from './statistics-files';

type DataRow = Record<string, unknown>;

/**
 * All data that we hold about a person. A room that stores more personal data adds it here, except secrets: hashes of
 * passwords and tokens, and keys of second factors.
 */
export async function* contentsOf(ctx: Ctx, user: UserRow): AsyncGenerator<DataFile, void> {
  const { language, name } = user;
  const readme = ctx.translate('mail:export.readme', { name }, language ?? DEFAULT_LANGUAGE);
  yield {
    name: 'README.txt',
    async *rows() {
      yield readme;
    },
  };
  yield json('account.json', async () => [await accountOf(ctx, user)]);
  yield json('emails.json', () => emailsOf(ctx, user));
  yield* messageFiles(ctx, user);
  yield json('uploads.json', () => ctx.db.select().from(uploads).where(eq(uploads.userId, user.id)));
  yield json('teams.json', async () => [await teamsOf(ctx, user)]);
  yield json('affiliates.json', async () => [await affiliatesOf(ctx, user)]);
  yield { name: 'activity.json', rows: () => jsonRows(activityOf(ctx, user)) };
  yield json('newsletters.json', () => newslettersOf(ctx, user));
  yield* fromCreators(ctx, user);
  yield* donationFiles(ctx, user);
  yield* receiptFiles(ctx, user);
  yield json('access.json', () => ctx.db.select().from(grants).where(eq(grants.userId, user.id)));
  yield json('gifts.json', () => giftsOf(ctx, user));
  yield json('private-feeds.json', () => privateFeedsOf(ctx, user));
  yield { name: 'announcements.json', rows: () => jsonRows(announcementsTo(ctx, user)) };
  const ownPositions = eq(episodePositions.userId, user.id);
  yield json('positions.json', () => ctx.db.select().from(episodePositions).where(ownPositions));
  if (user.avatarKey) yield { name: 'avatar.jpg', key: `${user.avatarKey}/full.jpg` };
  yield* creatorFiles(ctx, user);
}

/** Size of an export's audio in bytes; the rest is small. */
export async function filesBytes(ctx: Ctx, userId: number): Promise<number> {
  const [sum] = await ctx.db
    .select({ bytes: sql<number>`coalesce(sum(${episodes.audioBytes}), 0)`.mapWith(Number) })
    .from(episodes)
    .innerJoin(creators, eq(creators.id, episodes.creatorId))
    .where(eq(creators.userId, userId));
  return sum?.bytes ?? 0;
}

async function accountOf({ db }: Ctx, { passwordHash, ...account }: UserRow): Promise<DataRow> {
  const { id } = account;
  const { channel, userAgent, country, createdAt, lastUsedAt, expiresAt } = sessions;
  const device = { channel, userAgent, country, createdAt, lastUsedAt, expiresAt };
  const key = { name: passkeys.name, createdAt: passkeys.createdAt, lastUsedAt: passkeys.lastUsedAt };
  return {
    account: { ...account, hasPassword: passwordHash !== null },
    billing: await db.select().from(billingDetails).where(eq(billingDetails.userId, id)),
    changeOfAddress: await db.select().from(emailChanges).where(eq(emailChanges.userId, id)),
    sessions: await db.select(device).from(sessions).where(eq(sessions.userId, id)),
    logins: await db.select().from(identities).where(eq(identities.userId, id)),
    passkeys: await db.select(key).from(passkeys).where(eq(passkeys.userId, id)),
    authenticator: await db
      .select({ confirmedAt: authenticators.confirmedAt })
      .from(authenticators)
      .where(eq(authenticators.userId, id)),
    unwantedEmails: await db.select().from(notificationOptOuts).where(eq(notificationOptOuts.userId, id)),
    unsubscribedShows: await db.select().from(episodeEmailOptOuts).where(eq(episodeEmailOptOuts.email, account.email)),
    exports: await db.select().from(accountExports).where(eq(accountExports.userId, id)),
    creatorBackups: await db.select().from(creatorBackups).where(eq(creatorBackups.requestedBy, id)),
  };
}

/** Links in emails work like passwords, so their tokens are left out. */
async function emailsOf({ db }: Ctx, { id, email }: UserRow): Promise<DataRow[]> {
  const { to, topic, subject, text, createdAt, sentAt } = outbox;
  const rows = await db
    .select({ to, topic, subject, text, createdAt, sentAt })
    .from(outbox)
    .where(or(eq(outbox.userId, id), eq(outbox.to, email)));
  return rows.map((row) => ({ ...row, text: row.text.replace(/((?:token|list|signature)=)[^\s&]+/g, '$1…') }));
}

/** Teams that the person works in or is invited to. The token of an invitation is a secret. */
async function teamsOf({ db }: Ctx, { id, email }: UserRow): Promise<DataRow> {
  const { creatorId, role, createdAt, expiresAt } = invitations;
  return {
    memberships: await db.select().from(members).where(eq(members.userId, id)),
    invitations: await db
      .select({ creatorId, role, createdAt, expiresAt })
      .from(invitations)
      .where(eq(invitations.email, email)),
  };
}

/**
 * Gifts that the person gave and redeemed. Their links work like passwords, so they are left out; givers' messages
 * belong to the givers.
 */
async function giftsOf({ db }: Ctx, { id }: UserRow): Promise<DataRow[]> {
  const { productId, months, createdAt, expiresAt, redeemedAt, accessUntil, cancelledAt, giverId } = gifts;
  const facts = { productId, months, createdAt, expiresAt, redeemedAt, accessUntil, cancelledAt };
  const { giverName, recipientName, recipientEmail, message } = gifts;
  const given = await db
    .select({ ...facts, giverName, recipientName, recipientEmail, message })
    .from(gifts)
    .where(eq(giverId, id));
  const redeemed = await db
    .select({ ...facts, message })
    .from(gifts)
    .where(eq(gifts.redeemedBy, id));
  return [...given.map((row) => ({ given: row })), ...redeemed.map((row) => ({ redeemed: row }))];
}

/** Feed addresses work like passwords, so they are left out. */
const privateFeedsOf = ({ db }: Ctx, { id }: UserRow): Promise<DataRow[]> => {
  const { productId, app, createdAt, replacedAt, replacedBecause } = feedLinks;
  const { networks, foundAt, notifiedAt } = sharedFeeds;
  return db
    .select({ productId, app, createdAt, replacedAt, replacedBecause, sharedBy: { networks, foundAt, notifiedAt } })
    .from(feedLinks)
    .leftJoin(sharedFeeds, eq(sharedFeeds.linkId, feedLinks.id))
    .where(eq(feedLinks.userId, id));
};

/** The person's activity, with any creator. */
const activityOf = ({ db }: Ctx, { id: userId }: UserRow) =>
  inPages(
    (after) =>
      db
        .select()
        .from(activity)
        .where(and(eq(activity.userId, userId), gt(activity.id, after)))
        .orderBy(asc(activity.id))
        .limit(EXPORT_LIMITS.page),
    ({ id }) => id,
  );

/** The episodes about which the person was sent an email. */
const announcementsTo = ({ db }: Ctx, { id: userId }: UserRow) =>
  inPages(
    (after) =>
      db
        .select()
        .from(announcements)
        .where(and(eq(announcements.userId, userId), gt(announcements.episodeId, after)))
        .orderBy(asc(announcements.episodeId))
        .limit(EXPORT_LIMITS.page),
    ({ episodeId }) => episodeId,
  );

async function* creatorFiles(ctx: Ctx, { id: userId }: UserRow): AsyncGenerator<DataFile, void> {
  const { db } = ctx;
  const [creator] = await db.select().from(creators).where(eq(creators.userId, userId));
  if (!creator) return;
  yield json('creator-page.json', async () => [
    { ...creator, domains: await db.select().from(domains).where(eq(domains.creatorId, creator.id)) },
  ]);
  if (creator.avatarKey) yield { name: 'creator-page.jpg', key: `${creator.avatarKey}/full.jpg` };
  const shows = await db.select().from(products).where(eq(products.creatorId, creator.id)).orderBy(asc(products.id));
  yield json('shows.json', async () => shows);
  yield* toBuyers(ctx, creator.id);
  yield { name: 'contacts.json', rows: () => jsonRows(contactsOf(ctx, creator.id)) };
  yield* receivedDonations(ctx, creator.id);
  yield* statisticsFiles(ctx, creator.id);
  for (const { id, slug, coverKey } of shows) {
    const folder = `shows/${id}-${slug}`;
    if (coverKey) yield { name: `${folder}/cover.jpg`, key: `${coverKey}/full.jpg` };
    yield { name: `${folder}/episodes.json`, rows: () => jsonRows(flatten(episodePages(ctx, id))) };
    yield { name: `${folder}/transcripts.json`, rows: () => jsonRows(transcripts(ctx, id)) };
    for await (const page of episodePages(ctx, id)) yield* page.flatMap((episode) => filesOf(folder, episode));
  }
}

type EpisodeRow = typeof episodes.$inferSelect & {
  listens: number | null;
  downloads: number | null;
  chapters: (typeof episodeChapters.$inferSelect)['chapters'] | null;
  promoKey: string | null;
};

/** A show's transcripts with their passages. */
async function* transcripts({ db }: Ctx, productId: number): AsyncGenerator<DataRow, void> {
  for (let after = 0; ; ) {
    const [row] = await db
      .select({ transcript: episodeTranscripts })
      .from(episodeTranscripts)
      .innerJoin(episodes, eq(episodes.id, episodeTranscripts.episodeId))
      .where(and(eq(episodes.productId, productId), gt(episodes.id, after)))
      .orderBy(asc(episodes.id))
      .limit(1);
    if (!row) return;
    yield row.transcript;
    after = row.transcript.episodeId;
  }
}

function filesOf(folder: string, { id, slug, audioKey, coverKey, promoKey }: EpisodeRow): DataFile[] {
  const name = `${folder}/${id}-${slug}`;
  return [
    ...(audioKey ? [{ name: `${name}.mp3`, key: audioKey }] : []),
    ...(coverKey ? [{ name: `${name}.jpg`, key: `${coverKey}/full.jpg` }] : []),
    ...(promoKey ? [{ name: `${name}-promo.mp3`, key: promoKey }] : []),
  ];
}

/** A show can have thousands of episodes, so they are read in pages. */
async function* episodePages({ db }: Ctx, productId: number): AsyncGenerator<EpisodeRow[], void> {
  for (let after = 0; ; ) {
    const rows = await db
      .select({
        episode: episodes,
        parts: {
          listens: episodeTotals.listens,
          downloads: episodeTotals.downloads,
          chapters: episodeChapters.chapters,
          promoKey: promos.audioKey,
        },
      })
      .from(episodes)
      .leftJoin(episodeTotals, eq(episodeTotals.episodeId, episodes.id))
      .leftJoin(episodeChapters, eq(episodeChapters.episodeId, episodes.id))
      .leftJoin(promos, eq(promos.episodeId, episodes.id))
      .where(and(eq(episodes.productId, productId), gt(episodes.id, after)))
      .orderBy(asc(episodes.id))
      .limit(EXPORT_LIMITS.page);
    const last = rows.at(-1);
    if (last) yield rows.map(({ episode, parts }) => ({ ...episode, ...parts }));
    if (!last || rows.length < EXPORT_LIMITS.page) return;
    after = last.episode.id;
  }
}

async function* flatten<T>(pages: AsyncIterable<T[]>): AsyncGenerator<T, void> {
  for await (const page of pages) yield* page;
}
