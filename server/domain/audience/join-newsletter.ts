import { and, eq, gte } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import type { Language } from '~/locales/languages';
import { JOIN_NEWSLETTER_PATH, languagePrefix } from '../../base/public-paths';
import { earlier } from '../../base/time';
import { NEWSLETTER_LIMITS } from '../../limits/audience';
import { sendJoinLink } from '../../queue/jobs/audience';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import type { CreatorRow } from '../creators/queries';
import { coverUrls } from '../media/rules';
import { type AddressClaim, addressToken, lockAddress, readAddressToken } from '../notifications/address-links';
import { countEmails, queueEmail } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import { activateContact, notePending } from './activate-contact';
import { confirmedToken } from './confirmed-address';
import { joinLinkExpired } from './errors';
import { leaveLink } from './leave-newsletter';
import { type ContactKey, findNewsletter, lookupSender, whereContact } from './queries';
import type { ConfirmJoin, EmailLink, JoinNewsletter } from './schema';
import { giveTrackingConsent, trackingText, withdrawTrackingConsents } from './tracking-consents';

/** The newsletter form of a creator's page: an address gets emails only after its owner has opened a link in one. */
const TOPIC = 'join_newsletter';
const SIGNED = { purpose: 'join a newsletter', lifetime: NEWSLETTER_LIMITS.linkLifetime };

/**
 * Requests the email with the link. Only the job looks for the address, so neither answer nor timing reveals whether it
 * is known. Bots get the same answer and no email. @throws audience.newsletter_not_found
 */
export async function joinNewsletter(ctx: Ctx, { domain, email, isTracked, ...signs }: JoinNewsletter): Promise<void> {
  const { id: creatorId, tracksReadersSince } = await findNewsletter(ctx, domain);
  if (isBot(signs)) return;
  const request = { creatorId, email, language: ctx.language };
  const tick = isTracked && tracksReadersSince ? { isTracked } : {};
  await transact(ctx, (tx) => tx.jobs.enqueue(sendJoinLink, { ...request, ...tick }));
}

/** People don't see the field `website`. Without JavaScript, nobody knows how long the form was open. */
const isBot = ({ website, openFor }: Pick<JoinNewsletter, 'website' | 'openFor'>): boolean =>
  website !== '' || (openFor !== undefined && openFor < NEWSLETTER_LIMITS.fastest);

type JoinRequest = { creatorId: number; email: string; language: Language };
/** `isTracked`: the box was ticked that lets the creator see when the person last read. */
type TickedRequest = JoinRequest & { isTracked?: boolean };

/** The job: stores the request and queues the email, unless the address has reached one of its daily limits. */
export async function queueJoinLink(ctx: Ctx, { isTracked, ...request }: TickedRequest): Promise<void> {
  const creator = await lookupSender(ctx, request.creatorId);
  if (!creator || creator.takenDownAt) return;
  await transact(ctx, async (tx) => {
    const { email, creatorId } = request;
    await lockAddress(tx, email);
    const sent = { to: email, topic: TOPIC, since: earlier(tx.now(), NEWSLETTER_LIMITS.window) };
    if ((await countEmails(tx, sent)) >= NEWSLETTER_LIMITS.perWindow) return;
    if ((await countEmails(tx, { ...sent, creatorId })) >= NEWSLETTER_LIMITS.perCreator) return;
    await notePending(tx, { ...request, source: 'form' });
    await queueLink(tx, creator, { ...request, isTracked, id: await contactIdOf(tx, request) });
  });
}

async function contactIdOf({ db }: TxCtx, key: ContactKey): Promise<number | null> {
  const [row] = await db.select({ id: contacts.id }).from(contacts).where(whereContact(key));
  return row?.id ?? null;
}

/** The page of the link shows the box again, so that the owner of the address decides. */
const TICKED = '&tracked=on';
type Link = TickedRequest & { id: number | null };

async function queueLink(tx: TxCtx, creator: CreatorRow, { email, id, language, isTracked }: Link): Promise<void> {
  const claim = { email, id: creator.id, issuedAt: tx.now() };
  const token = addressToken(tx, claim, SIGNED.purpose);
  const url = tx.urls.app(
    `${languagePrefix(language)}${JOIN_NEWSLETTER_PATH}?token=${token}${isTracked ? TICKED : ''}`,
  );
  const leave = leaveLink(tx, { creatorId: creator.id, email, id }, language);
  const facts = { name: creator.name, url };
  const translate = (key: string, params?: Record<string, string | number>) => tx.translate(key, params, language);
  const { subject, content } = accountEmail(translate, TOPIC, facts);
  const label = translate('mail:join_newsletter.unsubscribe', facts);
  await queueEmail(tx, {
    to: email,
    userId: null,
    creatorId: creator.id,
    topic: TOPIC,
    language,
    subject,
    content: { ...content, from: senderOf(tx, creator), footerLink: { label, url: leave.url } },
    headers: leave.headers,
  });
}

const senderOf = ({ urls }: TxCtx, { name, avatarKey }: CreatorRow) => ({
  name,
  image: avatarKey ? urls.media(coverUrls(avatarKey).jpg) : null,
});

/** `isUsed`: the address was confirmed since the link was sent, and is on the list. `url`: of the creator's page. */
export type JoinLinkView = { email: string; creator: string; url: string; asksTracking: boolean; isUsed: boolean };

/**
 * Finds the creator whose newsletter a link would confirm, without confirming it. @throws audience.join_link_expired
 */
export async function joinLink(ctx: Ctx, input: EmailLink): Promise<JoinLinkView> {
  const { claim, creator } = await readLink(ctx, input);
  const { email, issuedAt } = claim;
  const isUsed = and(
    whereContact({ creatorId: creator.id, email }),
    eq(contacts.status, 'active'),
    gte(contacts.confirmedAt, issuedAt),
  );
  return {
    email,
    creator: creator.name,
    url: ctx.urls.creator(creator.domain),
    asksTracking: creator.tracksReadersSince !== null,
    isUsed: (await ctx.db.$count(contacts, isUsed)) > 0,
  };
}

/**
 * Adds the address to the creator's list. Repeating it is harmless, but a link does not bring back an address that has
 * left since. `isTracked`: whether the person lets the creator see when they last read, if the creator still asks for it; false
 * ends what they agreed to before, and without it, the page has not asked.
 * @returns `confirmed`: the token with which the next page offers other newsletters.
 * @throws audience.join_link_expired
 */
export async function confirmJoin(
  ctx: Ctx,
  { isTracked, ...input }: ConfirmJoin,
): Promise<{ email: string; creator: string; url: string; confirmed: string }> {
  const { claim, creator } = await readLink(ctx, input);
  const text = ctx.translate('newsletter:join.lead', { creator: creator.name, email: claim.email });
  const address = { creatorId: creator.id, email: claim.email, provenAt: claim.issuedAt };
  await transact(ctx, async (tx) => {
    if (!(await activateContact(tx, { ...address, source: 'form', text }))) throw joinLinkExpired();
    const contactId = isTracked === undefined ? null : await contactIdOf(tx, address);
    if (contactId === null) return;
    if (!isTracked) await withdrawTrackingConsents(tx, [contactId]);
    else if (creator.tracksReadersSince) await giveTrackingConsent(tx, contactId, trackingText(tx, creator.name));
  });
  const confirmed = confirmedToken(ctx, address);
  return { email: claim.email, creator: creator.name, url: ctx.urls.creator(creator.domain), confirmed };
}

async function readLink(ctx: Ctx, { token }: EmailLink): Promise<{ claim: AddressClaim; creator: CreatorRow }> {
  const claim = readAddressToken(ctx, token, SIGNED);
  const creator = claim && (await lookupSender(ctx, claim.id));
  if (!creator || creator.takenDownAt) throw joinLinkExpired();
  return { claim, creator };
}
