import { and, asc, eq, gt, isNotNull, isNull, lte, notInArray, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { buyerStates } from '~/db/schema/buyers';
import { episodeEmailOptOuts } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import type { BuyerState } from '~/db/values/buyer-states';
import { isLanguage, type Language } from '~/locales/languages';
import { CONTACT_LIMITS } from '../../limits/audience';
import type { Ctx } from '../../runtime/ctx';
import { type PageBrand, pageBrandOf } from '../creators/rules';
import { type CoverUrls, coverUrls } from '../media/rules';
import { lookupContact } from './contact-list';
import { type ContactHistory, historyOf } from './contact-page';
import { findCurrent, findLinked, type Linked } from './linked-contact';
import type { EmailLink } from './schema';
import { suppressionOf } from './suppressions';
import { isTracked } from './tracking-consents';

/** A show whose new episodes the person gets by email, or has stopped. */
export type OwnShow = { id: number; name: string; state: BuyerState; getsEmails: boolean };

/**
 * What the person sees who opens the link of a creator's email. `isCurrent`: false if the link was sent to a former
 * address; then the page tells nothing that others may not know. `stopsShow`: the show that the email was about.
 */
export type OwnContact = {
  creator: { name: string; url: string; brand: PageBrand | null; avatar: CoverUrls | null; hasNewsletter: boolean };
  email: string;
  isCurrent: boolean;
  newsletter: 'active' | 'pending' | 'stopped' | 'none';
  shows: OwnShow[];
  stopsShow: number | null;
  /**
   * Null if the creator has no data about the person. `asksTracking`: whether the creator wants to see when people last
   * read, so that the person can agree to it.
   */
  choices: { language: Language; asksTracking: boolean; isTracked: boolean; since: Date } | null;
};

/** @throws audience.leave_link_invalid */
export async function findOwnContact(ctx: Ctx, link: EmailLink): Promise<OwnContact> {
  const linked = await findLinked(ctx, link);
  const { key, creator, contact, isCurrent, stopsShow } = linked;
  const suppressed = await suppressionOf(ctx, { creatorId: creator.id, email: contact?.email ?? key.email });
  const isStopped = suppressed !== null || contact?.status === 'inactive';
  const choices = contact && {
    language: isLanguage(contact.language) ? contact.language : ctx.language,
    asksTracking: creator.tracksReadersSince !== null,
    isTracked: await isTracked(ctx, contact.id),
    since: contact.since,
  };
  return {
    creator: {
      name: creator.name,
      url: ctx.urls.creator(creator.domain),
      brand: pageBrandOf(creator),
      avatar: creator.avatarKey ? coverUrls(creator.avatarKey) : null,
      hasNewsletter: creator.showNewsletter,
    },
    email: key.email,
    isCurrent,
    newsletter: isStopped ? 'stopped' : contact === null ? 'none' : contact.status === 'pending' ? 'pending' : 'active',
    shows: isCurrent ? await listOwnShows(ctx, linked) : [],
    stopsShow,
    choices: isCurrent ? choices : null,
  };
}

/** Emails about new episodes go to accounts, whose address a creator may have written in another way. */
export async function listOwnShows({ db, now }: Pick<Ctx, 'db' | 'now'>, { key, contact }: Linked) {
  const isPerson = contact?.userId
    ? eq(users.id, contact.userId)
    : and(eq(users.email, key.email), isNotNull(users.emailVerifiedAt));
  const optOut = db
    .select({ id: episodeEmailOptOuts.productId })
    .from(episodeEmailOptOuts)
    .where(and(eq(episodeEmailOptOuts.email, users.email), eq(episodeEmailOptOuts.productId, products.id)));
  return db
    .select({
      id: products.id,
      name: products.name,
      state: buyerStates.state,
      getsEmails: sql<boolean>`not exists (${optOut})`,
      email: users.email,
      userId: users.id,
    })
    .from(users)
    .innerJoin(buyerStates, eq(buyerStates.userId, users.id))
    .innerJoin(products, eq(products.id, buyerStates.productId))
    .where(
      and(
        isPerson,
        isNull(users.deletedAt),
        eq(products.creatorId, key.creatorId),
        notInArray(buyerStates.state, ['ended', 'giver']),
        and(lte(buyerStates.begins, now()), gt(buyerStates.ends, now())),
      ),
    )
    .orderBy(asc(products.name), asc(products.id))
    .limit(CONTACT_LIMITS.follows);
}

/** All that a creator holds about a contact, for the person. */
export type OwnData = ContactHistory & {
  creator: string;
  email: string;
  name: string;
  language: string;
  state: string;
  since: Date;
  tags: string[];
};

/** Null if the creator has no data about the person. @throws as findCurrent */
export async function collectOwnData(ctx: Ctx, link: EmailLink): Promise<OwnData | null> {
  const { creator, contact } = await findCurrent(ctx, link);
  const details = contact && (await lookupContact(ctx, { creatorId: creator.id, id: contact.id }));
  if (!details) return null;
  const { email, name, state, since, tags } = details;
  const history = await historyOf(ctx, creator.id, details);
  return { creator: creator.name, email, name, language: contact.language, state, since, tags, ...history };
}
