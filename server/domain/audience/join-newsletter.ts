import { and, eq, lte } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import type { Language } from '~/locales/languages';
import { JOIN_NEWSLETTER_PATH, languagePrefix } from '../../base/public-paths';
import { earlier } from '../../base/time';
import { NEWSLETTER_LIMITS } from '../../limits/audience';
import { enrolContact, sendJoinLink, sendWelcome } from '../../queue/catalog';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import type { CreatorRow } from '../creators/queries';
import { type AddressClaim, addressToken, lockAddress, readAddressToken } from '../notifications/address-links';
import { countEmails, queueEmail } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import { noteConsent, noteSource } from './contact-sources';
import { joinLinkExpired } from './errors';
import { leaveLink } from './leave-newsletter';
import { findNewsletter, lookupSender, whereContact } from './queries';
import type { EmailLink, JoinNewsletter } from './schema';
import { endSuppression } from './suppressions';

/** The newsletter form of a creator's page: an address gets emails only after its owner has opened a link in one. */
const TOPIC = 'join_newsletter';
const SIGNED = { purpose: 'join a newsletter', lifetime: NEWSLETTER_LIMITS.linkLifetime };

/**
 * Requests the email with the link. Only the job looks for the address, so neither answer nor timing reveals whether it
 * is known. Bots get the same answer and no email. @throws audience.newsletter_not_found
 */
export async function joinNewsletter(ctx: Ctx, { domain, email, ...signs }: JoinNewsletter): Promise<void> {
  const { id: creatorId } = await findNewsletter(ctx, domain);
  if (isBot(signs)) return;
  await transact(ctx, (tx) => tx.jobs.enqueue(sendJoinLink, { creatorId, email, language: ctx.language }));
}

/** People don't see the field `website`. Without JavaScript, nobody knows how long the form was open. */
const isBot = ({ website, openFor }: Pick<JoinNewsletter, 'website' | 'openFor'>): boolean =>
  website !== '' || (openFor !== undefined && openFor < NEWSLETTER_LIMITS.fastest);

type JoinRequest = { creatorId: number; email: string; language: Language };

/** The job: stores the request and queues the email, unless the address has reached one of its daily limits. */
export async function queueJoinLink(ctx: Ctx, request: JoinRequest): Promise<void> {
  const creator = await lookupSender(ctx, request.creatorId);
  if (!creator) return;
  await transact(ctx, async (tx) => {
    const { email, creatorId } = request;
    await lockAddress(tx, email);
    const sent = { to: email, topic: TOPIC, since: earlier(tx.now(), NEWSLETTER_LIMITS.window) };
    if ((await countEmails(tx, sent)) >= NEWSLETTER_LIMITS.perWindow) return;
    if ((await countEmails(tx, { ...sent, creatorId })) >= NEWSLETTER_LIMITS.perCreator) return;
    await notePending(tx, request);
    await queueLink(tx, creator, { ...request, id: await contactIdOf(tx, request) });
  });
}

/** Contacts who have left stay unsubscribed until they confirm; active contacts stay active. */
async function notePending(tx: TxCtx, request: JoinRequest): Promise<void> {
  const now = tx.now();
  const times = { statusAt: now, since: now, createdAt: now, updatedAt: now };
  await tx.db
    .insert(contacts)
    .values({ ...request, source: 'form', status: 'pending', statusReason: 'form', ...times })
    .onConflictDoUpdate({
      target: [contacts.creatorId, contacts.email],
      set: { updatedAt: now },
      setWhere: eq(contacts.status, 'pending'),
    });
}

async function contactIdOf({ db }: TxCtx, request: JoinRequest): Promise<number | null> {
  const [row] = await db.select({ id: contacts.id }).from(contacts).where(whereContact(request));
  return row?.id ?? null;
}

type Link = JoinRequest & { id: number | null };

async function queueLink(tx: TxCtx, creator: CreatorRow, { email, id, language }: Link): Promise<void> {
  const claim = { email, id: creator.id, issuedAt: tx.now() };
  const token = addressToken(tx, claim, SIGNED.purpose);
  const url = tx.urls.app(`${languagePrefix(language)}${JOIN_NEWSLETTER_PATH}?token=${token}`);
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
    content: { ...content, footerLink: { label, url: leave.url } },
    headers: leave.headers,
  });
}

/**
 * Finds the creator whose newsletter a link would confirm, without confirming it. @throws audience.join_link_expired
 */
export async function joinLink(ctx: Ctx, input: EmailLink): Promise<{ email: string; creator: string }> {
  const { claim, creator } = await readLink(ctx, input);
  return { email: claim.email, creator: creator.name };
}

/**
 * Adds the address to the creator's list. Repeating it is harmless, but a link does not bring back an address that has
 * left since. @throws audience.join_link_expired
 */
export async function confirmJoin(
  ctx: Ctx,
  input: EmailLink,
): Promise<{ email: string; creator: string; url: string }> {
  const { claim, creator } = await readLink(ctx, input);
  const text = ctx.translate('newsletter:join.lead', { creator: creator.name, email: claim.email });
  await transact(ctx, (tx) => activateContact(tx, claim, text));
  return { email: claim.email, creator: creator.name, url: ctx.urls.creator(creator.domain) };
}

/** `text`: what the page has said above the button. */
async function activateContact(tx: TxCtx, { email, id, issuedAt }: AddressClaim, text: string): Promise<void> {
  const contact = whereContact({ creatorId: id, email });
  const [row] = await tx.db.select().from(contacts).where(contact).for('update');
  const now = tx.now();
  if (row?.status === 'active') {
    if (await noteSource(tx, row, 'form')) {
      await noteConsent(tx, row.id, 'form', text);
      await queueEnrolment(tx, row.id);
    }
    return;
  }
  const wanted = row?.status === 'inactive' ? lte(contacts.statusAt, issuedAt) : undefined;
  const active = { status: 'active', inactiveAs: null, statusReason: 'form', statusAt: now } as const;
  const confirmed = await tx.db
    .update(contacts)
    .set({ ...active, confirmedAt: now, updatedAt: now })
    .where(and(contact, wanted))
    .returning({ id: contacts.id, creatorId: contacts.creatorId });
  if (!confirmed[0]) throw joinLinkExpired();
  await endSuppression(tx, { creatorId: id, email });
  await noteSource(tx, confirmed[0], 'form');
  await noteConsent(tx, confirmed[0].id, 'form', text);
  await tx.jobs.enqueue(sendWelcome, { contactId: confirmed[0].id });
  await queueEnrolment(tx, confirmed[0].id);
}

const queueEnrolment = (tx: TxCtx, contactId: number): Promise<void> =>
  tx.jobs.enqueue(enrolContact, { trigger: 'sign_up', contactId, at: tx.now().toISOString() });

async function readLink(ctx: Ctx, { token }: EmailLink): Promise<{ claim: AddressClaim; creator: CreatorRow }> {
  const claim = readAddressToken(ctx, token, SIGNED);
  const creator = claim && (await lookupSender(ctx, claim.id));
  if (!creator) throw joinLinkExpired();
  return { claim, creator };
}
