import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { contacts, mergedContacts } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { editionRecipients, editions, mailReportTokens } from '~/db/schema/newsletter';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import { earlier } from '../../base/time';
import type { MailEvent } from '../../bounces/mail-event';
import { INBOUND_LIMITS } from '../../limits/newsletter';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockContacts, markBounced, markComplained } from '../audience/mark-bounced';
import { suppressDigests } from '../audience/suppressions';
import { settleComplained } from '../notifications/bulk-outbox';
import { optOutAll } from '../notifications/unsubscribe';
import { readEmailTag } from './email-tags';
import { findUnreachable } from './find-unreachable';
import { stopIfBad } from './lease-emails';
import { findLostRecipients } from './lost-recipients';
import { CHANGED_BY, REPORTED_STATE } from './rules';

/** `unknown`: about emails that are not ours, that are gone, or that went to another address. */
export type RecordedEvents = { recorded: number; unknown: number };

/**
 * Records what happened to emails after a server had accepted them, those of editions and single ones. An event counts
 * only for the address that its email was sent to, and once: repeating it changes nothing. Hard bounces, repeated soft ones and
 * complaints end the emails to the contact, and may stop the edition.
 */
export async function recordMailEvents(ctx: Ctx, events: MailEvent[]): Promise<RecordedEvents> {
  let known = 0;
  for (let start = 0; start < events.length; start += INBOUND_LIMITS.batch) {
    const batch = events.slice(start, start + INBOUND_LIMITS.batch).map((event) => toNamed(ctx, event));
    known += await recordBatch(ctx, batch);
  }
  const unknown = events.length - known;
  if (unknown > 0) ctx.log.info({ unknown, events: events.length }, 'reports about unknown emails');
  return { recorded: known, unknown };
}

/** Records the events of a report whose signature covers only its token: each token counts once. */
export async function recordReport(ctx: Ctx, token: string, events: MailEvent[]): Promise<void> {
  await transact(ctx, async (tx) => {
    const accepted = await tx.db
      .insert(mailReportTokens)
      .values({ token, createdAt: tx.now() })
      .onConflictDoNothing()
      .returning({ token: mailReportTokens.token });
    if (accepted.length > 0) await recordMailEvents(tx, events);
  });
}

/** Deletes tokens whose signatures are too old to be believed. */
export async function sweepReports({ db, now }: Ctx): Promise<void> {
  await db.delete(mailReportTokens).where(lt(mailReportTokens.createdAt, earlier(now(), INBOUND_LIMITS.tokenKept)));
}

type Named = MailEvent & { editionId: number | null; contactId: number | null; emailId: string | null };

/** The Message-ID of a single email is its random id. */
const EMAIL_ID = /^(?:[^@+]{1,64}\+)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:@|$)/i;

function toNamed(ctx: Ctx, event: MailEvent): Named {
  const { editionId, contactId } = readEmailTag(ctx, event.messageId) ?? { editionId: null, contactId: null };
  const emailId = EMAIL_ID.exec(event.messageId ?? '')?.[1]?.toLowerCase() ?? null;
  return { ...event, email: event.email?.toLowerCase() ?? null, editionId, contactId, emailId };
}

async function recordBatch(ctx: Ctx, batch: Named[]): Promise<number> {
  const [ofEditions, single] = [await findOfEditions(ctx, batch), await findSingle(ctx, batch)];
  const lost = await findLostRecipients(ctx, batch);
  const named = lost.flatMap(({ email, ...event }) => (email === null ? [] : [{ ...event, email }]));
  await ctx.reach('mail-events.read');
  await transact(ctx, async (tx) => {
    const mayEnd = ({ kind, isHard }: Reported) => kind === 'complaint' || (kind === 'bounce' && isHard);
    await lockContacts(tx, {
      // repeated soft bounces end emails, too
      contactIds: idsOf(ofEditions.filter(({ kind }) => kind !== 'delivery')),
      addresses: [...single, ...named].filter(mayEnd),
    });
    const changed = await changeRecipients(tx, worst(ofEditions));
    const isOf = (kind: MailEvent['kind']) => (event: Reported) => event.kind === kind;
    const ended = ofEditions.filter(({ contactId, editionId }) => changed.has(`${editionId} ${contactId}`));
    const isHardBounce = ({ kind, isHard }: Reported) => kind === 'bounce' && isHard;
    const bounced = [...single, ...named].filter(isHardBounce);
    const isSoftBounce = ({ kind, isHard }: Reported) => kind === 'bounce' && !isHard;
    const unreachable = await findUnreachable(tx, idsOf(ended.filter(isSoftBounce)));
    await markBounced(tx, { contactIds: [...idsOf(ended.filter(isHardBounce)), ...unreachable], addresses: bounced });
    const addresses = [
      ...(await settleComplaints(tx, single.filter(isOf('complaint')))),
      ...named.filter(isOf('complaint')),
    ];
    await markComplained(tx, { contactIds: idsOf(ended.filter(isOf('complaint'))), addresses });
    await suppressDigests(tx, lost.filter(({ email }) => email === null).filter(isOf('complaint')), 'complained');
    await stopBadEditions(tx, [...new Set([...changed].map((key) => Number(key.split(' ')[0])))]);
  });
  return ofEditions.length + single.length + lost.length;
}

type Reported = Pick<MailEvent, 'kind' | 'isHard' | 'at'>;
type Found = Reported & { status?: string; editionId: number; contactId: number };
type Single = Reported & { id: string; creatorId: number; email: string; productId: number | null };
const idsOf = (found: Found[]) => [...new Set(found.map(({ contactId }) => contactId))];

/** Complaints can leave the address out, or name one to which the email was forwarded: they are about the recipient. */
const isTo = ({ kind, email }: Named, address: string): boolean => kind === 'complaint' || email === address;

/** Of a contact that became a part of another one, the other has the email now. */
async function findOfEditions({ db }: Ctx, batch: Named[]): Promise<Found[]> {
  const tagged = batch.flatMap((event, position) => {
    const { editionId, contactId } = event;
    return editionId === null || contactId === null ? [] : [{ position, edition_id: editionId, contact_id: contactId }];
  });
  if (tagged.length === 0) return [];
  const rows = (await db.execute(sql`
    select t.position, r.edition_id, r.contact_id, c.email
    from jsonb_to_recordset(${JSON.stringify(tagged)}::text::jsonb) as t(position int, edition_id bigint, contact_id bigint)
    left join ${mergedContacts} m on m.former_id = t.contact_id
    join ${editionRecipients} r on r.edition_id = t.edition_id and r.contact_id = coalesce(m.contact_id, t.contact_id)
    join ${contacts} c on c.id = r.contact_id
    order by t.position`)) as unknown as { position: number; edition_id: string; contact_id: string; email: string }[];
  return rows.flatMap(({ position, edition_id, contact_id, email }) => {
    const event = batch[position]!;
    return isTo(event, email) ? [{ ...event, editionId: Number(edition_id), contactId: Number(contact_id) }] : [];
  });
}

/**
 * Single emails in a creator's name, whether their readers are contacts or not. A bounce from before the contact became
 * active says nothing about it: the person may have signed up again since.
 */
async function findSingle({ db }: Ctx, batch: Named[]): Promise<Single[]> {
  const ids = batch.flatMap(({ emailId }) => emailId ?? []);
  if (ids.length === 0) return [];
  const email = sql<string>`lower(${outbox.to})`;
  const isTheirs = and(eq(contacts.creatorId, outbox.creatorId), eq(contacts.email, email));
  const rows = await db
    .select({
      id: outbox.id,
      email,
      creatorId: creators.id,
      productId: products.id,
      isBack: sql<boolean>`coalesce(${contacts.status} = 'active' and ${contacts.statusAt} > ${outbox.createdAt}, false)`,
    })
    .from(outbox)
    .innerJoin(creators, eq(creators.id, outbox.creatorId))
    .leftJoin(products, eq(products.id, outbox.productId))
    .leftJoin(contacts, isTheirs)
    .where(inArray(outbox.id, ids))
    .orderBy(outbox.id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return batch.flatMap((event) => {
    const row = byId.get(event.emailId ?? '');
    if (!row || !isTo(event, row.email) || (event.kind !== 'complaint' && row.isBack)) return [];
    const { isBack: _, ...single } = row;
    return [{ kind: event.kind, isHard: event.isHard, at: event.at, ...single }];
  });
}

/**
 * Ends the emails about the show at the address, which may have no account. Whoever complained about a single email and
 * has signed up again is not ended by the same complaint. @returns those that had not been recorded
 */
async function settleComplaints(tx: TxCtx, complaints: Single[]): Promise<Single[]> {
  if (complaints.length === 0) return [];
  const isNew = await settleComplained(
    tx,
    complaints.map(({ id }) => id),
  );
  const fresh = complaints.filter(({ id }) => isNew.has(id));
  await optOutAll(
    tx,
    fresh.flatMap(({ email, productId }) => (productId === null ? [] : [{ email, productId }])),
  );
  return fresh;
}

const RANKS = { delivery: 0, bounce: 1, complaint: 2 };

/** One event for each recipient, because a statement changes a row only once. */
function worst(found: Found[]): Found[] {
  const ranked = [...found].sort((a, b) => RANKS[a.kind] - RANKS[b.kind] || b.at.getTime() - a.at.getTime());
  return [...new Map(ranked.map((event) => [`${event.editionId} ${event.contactId}`, event])).values()];
}

/** @returns `edition contact` of the rows that have changed */
async function changeRecipients(tx: TxCtx, found: Found[]): Promise<Set<string>> {
  if (found.length === 0) return new Set();
  const now = tx.now();
  const rows = found
    .sort((a, b) => a.editionId - b.editionId || a.contactId - b.contactId)
    .map(({ editionId, contactId, kind, at, status = null }) => ({
      edition_id: editionId,
      contact_id: contactId,
      state: REPORTED_STATE[kind],
      answer: status,
      changes: CHANGED_BY[kind],
      // the clock of a provider may be ahead
      at: new Date(Math.min(at.getTime(), now.getTime())),
    }));
  const changed = (await tx.db.execute(sql`
    update ${editionRecipients} r set state = e.state, due_at = null, settled_at = e.at,
      answer = coalesce(e.answer, r.answer)
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as e(edition_id bigint, contact_id bigint, state text, changes jsonb, at timestamptz, answer text)
    where r.edition_id = e.edition_id and r.contact_id = e.contact_id and r.attempts > 0 and e.changes ? r.state
    returning r.edition_id, r.contact_id`)) as unknown as { edition_id: string; contact_id: string }[];
  return new Set(changed.map(({ edition_id, contact_id }) => `${edition_id} ${contact_id}`));
}

/** Only few editions are being sent at a time. */
async function stopBadEditions(tx: TxCtx, editionIds: number[]): Promise<void> {
  if (editionIds.length === 0) return;
  const sending = await tx.db
    .select({ id: editions.id })
    .from(editions)
    .where(and(inArray(editions.id, editionIds), sql`${editions.status} = 'sending'`))
    .orderBy(editions.id);
  for (const { id } of sending) await stopIfBad(tx, id);
}
