import type { BulkMessage } from '../../adapters/mail/bulk/message';
import { MERGE_FIELDS, UNSUBSCRIBE_FIELD } from '../../edition/model';
import { renderEmail } from '../../edition/render-email';
import type { Ctx } from '../../runtime/ctx';
import { leaveMailto } from '../audience/leave-by-email';
import { leaveLink } from '../audience/leave-newsletter';
import { emailTag } from './email-tags';
import type { Leased } from './lease-emails';
import { requireNewsletter } from './newsletter-settings';
import type { EditionRow } from './queries';
import { toRenderable } from './render-edition';
import { returnPath, senderAddress } from './sender';
import { findReplyAddress } from './verify-sender';

/**
 * Renders an edition once for each part, and returns the function that makes the message of one recipient. Its
 * Message-ID follows from edition and contact, so that mailboxes show a repeated email once, and is signed.
 */
export async function composeMailing(ctx: Ctx, row: EditionRow): Promise<(leased: Leased) => BulkMessage> {
  const { creatorId } = row;
  const newsletter = await requireNewsletter(ctx, creatorId);
  const { edition, creator } = await toRenderable(ctx, row, {
    counts: true,
    unsubscribe: UNSUBSCRIBE_FIELD,
    isEmail: true,
  });
  const { domain } = ctx.ports.mail;
  const from = senderAddress(ctx, creator);
  const replyTo = await findReplyAddress(ctx, creatorId);
  const compose = (part: 'free' | 'paid') => {
    const { html, text } = renderEmail(edition, part);
    return ctx.ports.bulkMail.compose({
      from: { name: newsletter.senderName, address: from },
      ...(replyTo !== null && { replyTo: { name: newsletter.senderName, address: replyTo } }),
      returnPath: from,
      list: { name: newsletter.name, id: `${creator.domain}.${domain}` },
      feedbackId: `${row.id}:${creatorId}:newsletter:altavoz`,
      date: row.automationId === null ? (row.startedAt ?? ctx.now()) : ctx.now(),
      // a personal link belongs in no header
      subject: row.title.replaceAll(/\{\{\s*unsubscribe\b[^{}]*\}\}/gi, ''),
      ...{ text, html, fields: MERGE_FIELDS },
    });
  };
  const parts = { free: compose('free'), paid: compose('paid') };
  return ({ contactId, email, name, language, pays }) => {
    const tag = emailTag(ctx, { editionId: row.id, contactId });
    const { url } = leaveLink(ctx, { creatorId, email, id: contactId }, language);
    return parts[pays ? 'paid' : 'free']({
      id: String(contactId),
      to: { name, address: email },
      returnPath: returnPath(ctx, tag),
      messageId: `${tag}@${domain}`,
      unsubscribe: { url, mailto: leaveMailto(ctx, { creatorId, id: contactId }) },
      values: { name, unsubscribe: url },
    });
  };
}
