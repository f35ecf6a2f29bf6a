import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '~/db/schema/webhooks';
import type { WebhookState } from '~/db/values/webhook-events';
import { DELIVERY_LIMITS } from '../../limits/webhooks';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import type { LeasedDelivery } from './lease-deliveries';
import { isDelivered, keptAnswer, nextDelivery, reasonToDisable } from './rules';
import { tellOfEndpoint } from './tell-of-endpoint';

/** What became of one attempt. `failure`: the code of the error, without an answer. */
export type Attempt = {
  delivery: LeasedDelivery;
  startedAt: Date;
  ms: number;
  status: number | null;
  failure: string | null;
  answer: string;
};

/**
 * Records attempts in one transaction. Only a delivery that is still leased by this worker changes: if its lease has ended,
 * another one attempts it again, because at worst a message arrives twice.
 */
export async function recordAttempts(ctx: Ctx, attempts: Attempt[]): Promise<void> {
  await transact(ctx, async (tx) => {
    const recorded = await settleDeliveries(tx, attempts);
    if (recorded.length === 0) return;
    const rows = recorded.map(toRow);
    await tx.db.insert(webhookAttempts).values(rows).onConflictDoNothing();
    await shortenAnswers(tx, new Set(rows.flatMap(({ wholeOf }) => wholeOf ?? [])));
    await noteEndpoints(tx, recorded);
  });
}

/** @returns the attempts whose leases have not ended */
async function settleDeliveries(tx: TxCtx, attempts: Attempt[]): Promise<Attempt[]> {
  const now = tx.now();
  // in the order in which other workers lock them
  const inOrder = [...attempts].sort((a, b) => a.delivery.id - b.delivery.id);
  const rows = inOrder.map((attempt) => ({
    id: attempt.delivery.id,
    lease: attempt.delivery.lease,
    ...settled(attempt, now),
  }));
  const changed = await tx.db.execute<{ id: string; state: WebhookState }>(sql`
    update ${webhookDeliveries} d
    set attempts = d.attempts + 1, state = o.state, due_at = coalesce(o.due_at, d.due_at), settled_at = o.settled_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as o
      (id bigint, lease integer, state text, due_at timestamptz, settled_at timestamptz)
    where d.id = o.id and d.lease = o.lease and d.state = 'waiting'
    returning d.id, d.state`);
  const idsOf = (...states: WebhookState[]) =>
    changed.flatMap(({ id, state }) => (states.includes(state) ? Number(id) : []));
  const repeated = await settleRepeated(tx, idsOf('delivered'));
  await freeFollowers(tx, [...idsOf('delivered', 'failed'), ...repeated]);
  const ids = new Set(changed.map(({ id }) => Number(id)));
  return inOrder.filter(({ delivery }) => ids.has(delivery.id));
}

/**
 * What was sent again by hand has arrived, so its event needs no other attempt. A row that another worker is recording is
 * left to it: at worst the message arrives twice. @returns the ids of the settled deliveries
 */
async function settleRepeated(tx: TxCtx, deliveredIds: number[]): Promise<number[]> {
  if (deliveredIds.length === 0) return [];
  const settledRows = await tx.db.execute<{ id: string }>(sql`
    with former as (
      select f.id from ${webhookDeliveries} s
      join ${webhookDeliveries} f on f.event_id = s.event_id and f.endpoint_id = s.endpoint_id and f.object <> s.object
      where s.id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(deliveredIds)}::text::jsonb))
        and s.object like 'again:%' and f.state = 'waiting'
      order by f.id for update of f skip locked
    )
    update ${webhookDeliveries} d set state = 'delivered', settled_at = ${tx.now().toISOString()}::timestamptz
    from former where d.id = former.id
    returning d.id`);
  return settledRows.map(({ id }) => Number(id));
}

/** Those that were parked behind a delivery of their object are due once it is settled. */
async function freeFollowers(tx: TxCtx, settledIds: number[]): Promise<void> {
  if (settledIds.length === 0) return;
  await tx.db.execute(sql`
    update ${webhookDeliveries} d set due_at = to_timestamp(0)
    from ${webhookDeliveries} s
    where s.id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(settledIds)}::text::jsonb))
      and d.endpoint_id = s.endpoint_id and d.object = s.object and d.state = 'waiting' and d.id > s.id
      and d.due_at > ${tx.now().toISOString()}::timestamptz and d.due_at < 'infinity'`);
}

type Settled = { state: WebhookState; due_at: Date | null; settled_at: Date | null };

function settled({ delivery, status }: Attempt, now: Date): Settled {
  if (isDelivered(status)) return { state: 'delivered', due_at: null, settled_at: now };
  const again = nextDelivery(delivery.attempts + 1, now);
  return again
    ? { state: 'waiting', due_at: again, settled_at: null }
    : { state: 'failed', due_at: null, settled_at: now };
}

function toRow({ delivery, startedAt, ms, status, failure, answer }: Attempt) {
  const { isWhole, ...kept } = keptAnswer({ status, answer });
  const number = delivery.attempts + 1;
  return {
    ...{ deliveryId: delivery.id, number, startedAt, ms, status, failure, ...kept },
    wholeOf: isWhole ? delivery.endpointId : null,
  };
}

/** Of an endpoint that always fails at length, only the latest answers are kept whole. */
async function shortenAnswers(tx: TxCtx, endpointIds: Set<string>): Promise<void> {
  if (endpointIds.size === 0) return;
  // another worker may be shortening the same ones
  await tx.db.execute(sql`
    with old as (
      select a.delivery_id, a.number from jsonb_array_elements_text(${JSON.stringify([...endpointIds])}::text::jsonb) as e (id)
      cross join lateral (
        select delivery_id, number from ${webhookAttempts} where whole_of = e.id::uuid
        order by started_at desc, delivery_id desc, number desc offset ${DELIVERY_LIMITS.wholeAnswers}
      ) a
    ), locked as (
      select a.delivery_id, a.number from ${webhookAttempts} a join old using (delivery_id, number) for update of a skip locked
    )
    update ${webhookAttempts} a set answer = left(a.answer, ${DELIVERY_LIMITS.keptAnswer}), whole_of = null
    from locked where a.delivery_id = locked.delivery_id and a.number = locked.number`);
}

/** An endpoint that answers well has no failures behind it; one that has failed for days, or is gone, is switched off. */
async function noteEndpoints(tx: TxCtx, attempts: Attempt[]): Promise<void> {
  const well = new Set(attempts.filter(({ status }) => isDelivered(status)).map(endpointOf));
  const failed = attempts.filter((attempt) => !well.has(endpointOf(attempt)));
  await tx.db
    .update(webhookEndpoints)
    .set({ failingSince: null })
    .where(and(inArray(webhookEndpoints.id, [...well]), isNotNull(webhookEndpoints.failingSince)));
  const ids = [...new Set(failed.map(endpointOf))].sort();
  if (ids.length === 0) return;
  await tx.db
    .update(webhookEndpoints)
    .set({ failingSince: tx.now() })
    .where(and(inArray(webhookEndpoints.id, ids), isNull(webhookEndpoints.failingSince)));
  const rows = await tx.db
    .select()
    .from(webhookEndpoints)
    .where(and(inArray(webhookEndpoints.id, ids), isNull(webhookEndpoints.disabledAt)))
    .orderBy(webhookEndpoints.id);
  for (const { id, failingSince } of rows) {
    const statuses = failed.filter((attempt) => endpointOf(attempt) === id).map(({ status }) => status);
    const reasons = statuses.map((status) => reasonToDisable({ status, failingSince }, tx.now()));
    const reason = reasons.find((one) => one === 'gone') ?? reasons.find((one) => one !== null);
    if (reason) await disable(tx, id, reason);
  }
}

const endpointOf = ({ delivery }: Attempt): string => delivery.endpointId;

async function disable(tx: TxCtx, id: string, reason: 'gone' | 'failing' | 'owner'): Promise<void> {
  const now = tx.now();
  const [disabled] = await tx.db
    .update(webhookEndpoints)
    .set({ disabledAt: now, disabledFor: reason, updatedAt: now })
    .where(and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.disabledAt)))
    .returning();
  if (disabled) await tellOfEndpoint(tx, disabled);
}
