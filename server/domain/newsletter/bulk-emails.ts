import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { notificationOptOuts, users } from '~/db/schema/accounts';
import { contacts, suppressions } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { newsletters } from '~/db/schema/newsletter';
import { episodeEmailOptOuts, outbox } from '~/db/schema/notifications';
import type { BulkMessage } from '../../adapters/mail/bulk/message';
import { whereLiveGrant } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { leaveMailto } from '../audience/leave-by-email';
import { addressDigest } from '../audience/suppressions';
import type { LeasedEmail } from '../notifications/bulk-outbox';
import { stopMailto } from '../notifications/stop-by-email';
import { returnPath, senderAddress } from './sender';
import { replyAddress } from './verify-sender';

/** Whose email it is, and who still gets it; by the email's id. An email without one must not be sent. */
export type Sending = {
  creator: { id: number; name: string; domain: string };
  /** Null for a creator without a newsletter. */
  newsletter: { name: string; senderName: string } | null;
  /** Where answers go; null without a newsletter. */
  replyTo: string | null;
  /** The creator's contact with this address; null if there is none. */
  contactId: number | null;
};

/**
 * Finds the senders of leased emails. Leaves out those of creators who may send nothing any more, and those whose reader
 * has ended them since they were queued.
 */
export async function findSendings(ctx: Pick<Ctx, 'db' | 'now'>, emails: LeasedEmail[]): Promise<Map<string, Sending>> {
  if (emails.length === 0) return new Map();
  const rows = await ctx.db
    .select({
      id: outbox.id,
      creator: { id: creators.id, name: creators.name, domain: creators.domain },
      newsletter: { name: newsletters.name, senderName: newsletters.senderName },
      replyTo: sql<string | null>`case when ${newsletters.creatorId} is not null then ${replyAddress()} end`,
      contactId: contacts.id,
    })
    .from(outbox)
    .innerJoin(creators, eq(creators.id, outbox.creatorId))
    .innerJoin(users, eq(users.id, creators.userId))
    .leftJoin(newsletters, eq(newsletters.creatorId, creators.id))
    .leftJoin(contacts, and(eq(contacts.creatorId, creators.id), eq(contacts.email, sql`lower(${outbox.to})`)))
    .where(
      and(
        inArray(
          outbox.id,
          emails.map(({ id }) => id),
        ),
        isNull(creators.closedAt),
        isNull(creators.takenDownAt),
        isNull(creators.publishingStoppedAt),
        isWanted(ctx),
      ),
    );
  return new Map(rows.map(({ id, ...sending }) => [id, sending]));
}

/**
 * Nobody gets emails at an address that bounced or complained. Leaving the newsletter ends only its welcome: emails about
 * new episodes have a link of their own. Who has unfollowed the show, or whose access has ended, gets none about it.
 */
const isWanted = ({ now }: Pick<Ctx, 'now'>): SQL => sql`not exists (select from ${episodeEmailOptOuts}
    where ${episodeEmailOptOuts.email} = ${outbox.to} and ${episodeEmailOptOuts.productId} = ${outbox.productId})
  and not exists (select from ${notificationOptOuts}
    where ${notificationOptOuts.userId} = ${outbox.userId} and ${notificationOptOuts.topic} = ${outbox.topic})
  and not exists (select from ${suppressions}
    where ${suppressions.creatorId} = ${creators.id}
      and ${suppressions.addressDigest} = ${addressDigest(sql`lower(${outbox.to})`)}
      and (${suppressions.reason} in ('bounced', 'complained') or ${outbox.topic} = 'newsletter_welcome'))
  and (${outbox.topic} <> 'newsletter_welcome' or ${contacts.status} = 'active')
  and (${outbox.topic} <> 'new_episode' or ${outbox.userId} is null or exists (select from ${grants}
    where ${grants.userId} = ${outbox.userId} and ${grants.productId} = ${outbox.productId}
      and ${whereLiveGrant(now().toISOString())}))`;

/** The message of one email, from the creator's address. @throws UnsafeHeader */
export function composeBulkEmail(ctx: Ctx, email: LeasedEmail, sending: Sending): BulkMessage {
  const { creator, newsletter, replyTo } = sending;
  const { domain } = ctx.ports.mail;
  const address = senderAddress(ctx, creator);
  const name = newsletter?.senderName ?? creator.name;
  const topic = email.topic.replaceAll('_', '-');
  const compose = ctx.ports.bulkMail.compose({
    from: { name, address },
    ...(replyTo !== null && { replyTo: { name, address: replyTo } }),
    returnPath: address,
    list: { name: newsletter?.name ?? creator.name, id: `${topic}.${creator.domain}.${domain}` },
    feedbackId: `${email.productId ?? creator.id}:${creator.id}:${topic}:altavoz`,
    date: email.createdAt,
    isAutomatic: true,
    ...{ subject: email.subject, text: email.text, html: email.html, fields: [] },
  });
  return compose({
    id: email.id,
    to: { name: '', address: email.to },
    messageId: `${email.id}@${domain}`,
    returnPath: returnPath(ctx, email.id),
    unsubscribe: {
      url: (email.headers['List-Unsubscribe'] ?? '').replace(/^<|>$/g, ''),
      mailto: mailtoOf(ctx, email, sending),
    },
    values: {},
  });
}

/** Ends what the email's link ends: the newsletter, which the welcome belongs to, or the emails about the show. */
function mailtoOf(ctx: Ctx, { topic, userId, productId }: LeasedEmail, { creator, contactId }: Sending) {
  if (topic !== 'newsletter_welcome')
    return userId !== null && productId !== null ? stopMailto(ctx, { userId, productId }) : undefined;
  return contactId !== null ? leaveMailto(ctx, { creatorId: creator.id, id: contactId }) : undefined;
}
