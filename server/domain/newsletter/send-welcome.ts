import { eq } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { escapeHtml } from '../../base/html';
import { fillSegment, splitAtFields } from '../../base/merge-fields';
import { cleanEdition } from '../../edition/clean-edition';
import { MERGE_FIELDS } from '../../edition/model';
import { isStoredPicture } from '../../edition/picture-path';
import { renderEmail } from '../../edition/render-email';
import { type Ctx, transact } from '../../runtime/ctx';
import { leaveLink } from '../audience/leave-newsletter';
import { suppressionOf } from '../audience/suppressions';
import { queueRenderedEmails } from '../notifications/outbox';
import { lookupNewsletter, type NewsletterRow } from './newsletter-settings';
import { type RenderableRow, toRenderable } from './render-edition';

const TOPIC = 'newsletter_welcome';

/**
 * The job: welcomes a contact who has just confirmed, if the newsletter does that. Once for each contact: a repeated job
 * queues an email with the same id.
 */
export async function sendWelcome(ctx: Ctx, { contactId }: { contactId: number }): Promise<void> {
  const [contact] = await ctx.db.select().from(contacts).where(eq(contacts.id, contactId));
  if (contact?.status !== 'active' || (await suppressionOf(ctx, contact))) return;
  const { creatorId, email, name, language } = contact;
  const newsletter = await lookupNewsletter(ctx, creatorId);
  if (!newsletter?.sendsWelcome) return;
  const to = language === 'es' ? 'es' : 'en';
  const leave = leaveLink(ctx, { creatorId, email, id: contactId }, to);
  const { edition } = await toRenderable(ctx, await asEdition(newsletter), {
    counts: false,
    unsubscribe: leave.url,
    isEmail: true,
  });
  const { html, text } = renderEmail(edition, 'free');
  const fill = (template: string, encode: (value: string) => string) =>
    splitAtFields(template, MERGE_FIELDS)
      .map((part) => (typeof part === 'string' ? part : fillSegment(part, { name }, encode)))
      .join('');
  await transact(ctx, (tx) =>
    queueRenderedEmails(tx, [
      {
        id: emailId(ctx, contactId),
        to: email,
        userId: null,
        creatorId,
        topic: TOPIC,
        language: to,
        subject: fill(newsletter.welcomeSubject, String),
        html: fill(html, escapeHtml),
        text: fill(text, String),
        headers: leave.headers,
        createdAt: tx.now(),
      },
    ]),
  );
}

/** A UUID that follows from the contact. Keyed, because a bounce that names it is believed. */
function emailId({ vault }: Ctx, contactId: number): string {
  const digest = Buffer.from(vault.fingerprint(String(contactId), TOPIC), 'base64url').toString('hex');
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');
}

/** The welcome email looks like an edition. It is in no archive. */
async function asEdition({ creatorId, welcomeSubject, welcomeContent }: NewsletterRow): Promise<RenderableRow> {
  const content = await cleanEdition(welcomeContent, isStoredPicture);
  return { id: 0, creatorId, title: welcomeSubject, preheader: '', content, slug: null, startedAt: null };
}
