import type { DkimKey } from '../../adapters/mail/bulk/dkim-signature';
import type { BulkMessage } from '../../adapters/mail/bulk/message';
import { type Edition, MERGE_FIELDS, UNSUBSCRIBE_FIELD } from '../../edition/model';
import { renderEmail } from '../../edition/render-email';
import type { Ctx } from '../../runtime/ctx';
import { leaveMailto } from '../audience/leave-by-email';
import { leaveLink } from '../audience/leave-newsletter';
import { emailTag } from './email-tags';
import type { Leased } from './lease-emails';
import { requireNewsletter } from './newsletter-settings';
import type { OwnSender } from './own-sender';
import type { EditionRow } from './queries';
import { readerTag, trackedEdition } from './reader-links';
import { toRenderable } from './render-edition';
import { bounceDomain, returnPath, senderAddress } from './sender';
import { findReplyAddress } from './verify-sender';

/** What is rendered, and the fields that differ per recipient. */
type Shown = { edition: Edition; fields: readonly string[] };

/** Makes the message of one recipient. `isOwn`: from the creator's own domain, if there is one. */
export type Mailing = (leased: Leased, isOwn: boolean) => BulkMessage;

/**
 * Renders an edition once for each part and each sender, and returns the function that makes the message of one recipient.
 * Its Message-ID follows from edition and contact, so that mailboxes show a repeated email once, and is signed. Those who
 * agreed to be seen have a rendering of their own: all others get nothing with a reader in it, not even an empty field.
 */
export async function composeMailing(ctx: Ctx, row: EditionRow, own: OwnSender | null = null): Promise<Mailing> {
  const { creatorId } = row;
  const newsletter = await requireNewsletter(ctx, creatorId);
  const { edition, creator } = await toRenderable(ctx, row, {
    counts: true,
    unsubscribe: UNSUBSCRIBE_FIELD,
    isEmail: true,
  });
  const { domain } = ctx.ports.mail;
  const platform = { address: senderAddress(ctx, creator), bouncesTo: bounceDomain(ctx), keys: [] };
  const replyTo = await findReplyAddress(ctx, creatorId);
  const plain: Shown = { edition, fields: MERGE_FIELDS };
  const tracked = creator.tracksReadersSince ? trackedEdition(ctx, row.id, edition) : null;
  const compose = (
    part: 'free' | 'paid',
    shown: Shown,
    { address: from, keys }: Pick<typeof platform, 'address'> & { keys: DkimKey[] },
  ) => {
    const { html, text } = renderEmail(shown.edition, part);
    const message = {
      from: { name: newsletter.senderName, address: from },
      ...(replyTo !== null && { replyTo: { name: newsletter.senderName, address: replyTo } }),
      returnPath: from,
      list: { name: newsletter.name, id: `${creator.domain}.${domain}` },
      feedbackId: `${row.id}:${creatorId}:newsletter:altavoz`,
      date: row.automationId === null ? (row.startedAt ?? ctx.now()) : ctx.now(),
      // a personal link belongs in no header
      subject: row.title.replaceAll(/\{\{\s*unsubscribe\b[^{}]*\}\}/gi, ''),
      ...{ text, html, fields: shown.fields },
    };
    return ctx.ports.bulkMail.compose(message, keys);
  };
  const by = (sender: Parameters<typeof compose>[2] & { bouncesTo: string }) => ({
    plain: { free: compose('free', plain, sender), paid: compose('paid', plain, sender) },
    tracked: tracked && { free: compose('free', tracked, sender), paid: compose('paid', tracked, sender) },
    bouncesTo: sender.bouncesTo,
  });
  const byPlatform = by(platform);
  const byOwn = own ? by({ ...own, keys: [own.key] }) : byPlatform;
  return ({ contactId, email, name, language, pays, isTracked }, isOwn) => {
    const sender = isOwn ? byOwn : byPlatform;
    const tag = emailTag(ctx, { editionId: row.id, contactId });
    const { url } = leaveLink(ctx, { creatorId, email, id: contactId }, language);
    const seen = isTracked ? tracked : null;
    const parts = (seen && sender.tracked) ?? sender.plain;
    const reader = seen && { [seen.readerField]: readerTag(ctx, { editionId: row.id, contactId }) };
    return parts[pays ? 'paid' : 'free']({
      id: String(contactId),
      to: { name, address: email },
      returnPath: returnPath(ctx, tag, sender.bouncesTo),
      messageId: `${tag}@${domain}`,
      unsubscribe: { url, mailto: leaveMailto(ctx, { creatorId, id: contactId }) },
      values: { name, unsubscribe: url, ...reader },
    });
  };
}
