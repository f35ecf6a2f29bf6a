import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { newsletters } from '~/db/schema/newsletter';
import { utcDay } from '../../base/time';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { forgetReaders } from '../../queue/jobs/audience';
import { type Ctx, transact } from '../../runtime/ctx';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { type CreatorRow, findCreator, lockCreator } from '../creators/queries';
import { trackReaders } from '../creators/track-readers';
import { storeCover } from '../media/covers';
import { type CoverUrls, coverUrls } from '../media/rules';
import { consumeUpload, findUsableUpload } from '../media/uploads';
import { recordActivity } from '../team/activity';
import { settingsNotDefined } from './errors';
import type { SaveNewsletter } from './schema';
import { senderAddress } from './sender';
import { addressOf, lookupLostDomain, lookupUsedDomain } from './sending-domains';
import { findReplyAddress, senderVerification } from './verify-sender';

export type NewsletterRow = typeof newsletters.$inferSelect;
export type NewsletterView = Omit<
  NewsletterRow,
  'creatorId' | 'logoKey' | 'senderVerifiedAt' | 'createdAt' | 'updatedAt'
> & {
  logo: CoverUrls | null;
  /** Whether the creator wants to see when contacts who agree to it last read. */
  tracksReaders: boolean;
  /** The address that emails come from. */
  from: string;
  /** Where answers go; another address than `senderEmail` until that one is verified. */
  replyTo: string | null;
  /** A domain of the creator's own whose records have disappeared, while no other is in use. */
  lostDomain: string | null;
  /** False as long as nothing was saved: the other fields are proposals. */
  isDefined: boolean;
};

/** The newsletter of the creator for whom the user works; before the first save, proposals for its form. */
export async function findNewsletterSettings(ctx: Ctx): Promise<NewsletterView> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const creator = await findCreator(ctx, creatorId);
  const row = await lookupNewsletter(ctx, creatorId);
  const own = await lookupUsedDomain(ctx, creatorId);
  const more = {
    tracksReaders: creator.tracksReadersSince !== null,
    from: own ? addressOf(own) : senderAddress(ctx, creator),
    lostDomain: own ? null : await lookupLostDomain(ctx, creatorId),
  };
  if (!row) return { ...(await proposal(ctx, creator)), ...more, replyTo: null };
  return { ...toView(row), ...more, replyTo: await findReplyAddress(ctx, creatorId) };
}

export async function lookupNewsletter({ db }: Pick<Ctx, 'db'>, creatorId: number): Promise<NewsletterRow | null> {
  const [row] = await db.select().from(newsletters).where(eq(newsletters.creatorId, creatorId));
  return row ?? null;
}

/** @throws newsletter.settings_not_defined */
export async function requireNewsletter(ctx: Pick<Ctx, 'db'>, creatorId: number): Promise<NewsletterRow> {
  const row = await lookupNewsletter(ctx, creatorId);
  if (!row) throw settingsNotDefined();
  return row;
}

type Fields = Omit<NewsletterView, 'from' | 'replyTo' | 'lostDomain' | 'tracksReaders'>;

function toView({
  creatorId: _,
  logoKey,
  senderVerifiedAt: __,
  createdAt: ___,
  updatedAt: ____,
  ...row
}: NewsletterRow): Fields {
  return { ...row, logo: logoKey === null ? null : coverUrls(logoKey), isDefined: true };
}

async function proposal(ctx: Ctx, creator: CreatorRow): Promise<Fields> {
  const [owner] = await ctx.db.select({ email: users.email }).from(users).where(eq(users.id, creator.userId));
  return {
    name: creator.name,
    description: '',
    category: 0,
    language: ctx.language,
    logo: null,
    senderName: creator.name,
    senderEmail: owner?.email ?? '',
    header: '',
    footer: '',
    sendsWelcome: false,
    welcomeSubject: '',
    welcomeContent: '',
    mayBeRecommended: true,
    isDefined: false,
  };
}

/**
 * Defines or changes the newsletter. Switching `tracksReaders` off deletes when readers last read. @throws common.role_not_allowed, newsletter.too_many_sender_emails, upload.* and
 * media.* (the logo)
 */
export async function saveNewsletter(
  ctx: Ctx,
  { logoKey: key, tracksReaders, ...values }: SaveNewsletter,
): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const logo = key ? await findUsableUpload(ctx, { key, purpose: 'newsletter_logo' }) : null;
  const logoKey = logo ? await storeCover(ctx, logo) : undefined;
  await transact(ctx, async (tx) => {
    if (logo) await consumeUpload(tx, logo);
    const creator = await lockCreator(tx, creatorId);
    const now = tx.now();
    const before = await lookupNewsletter(tx, creatorId);
    const senderVerifiedAt = await senderVerification(tx, { creatorId, ...values }, before);
    const row = { ...values, senderVerifiedAt, ...(logoKey && { logoKey }), updatedAt: now };
    await tx.db
      .insert(newsletters)
      .values({ ...row, creatorId, createdAt: now })
      .onConflictDoUpdate({ target: newsletters.creatorId, set: row });
    if (tracksReaders !== undefined) await trackReaders(tx, creatorId, tracksReaders);
    if (creator.tracksReadersSince && tracksReaders === false)
      await tx.jobs.enqueue(forgetReaders, { creatorId, until: utcDay(tx.now()) });
    await markCreatorChanged(tx, creatorId);
    await recordActivity(tx, { creatorId, action: 'newsletter.saved', params: { name: values.name } });
  });
}
