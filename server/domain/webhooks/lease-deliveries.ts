import { sql } from 'drizzle-orm';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '~/db/schema/webhooks';
import type { EndpointKind, WebhookData, WebhookEvent } from '~/db/values/webhook-events';
import { later } from '../../base/time';
import { DELIVERY_LIMITS } from '../../limits/webhooks';
import type { Ctx } from '../../runtime/ctx';

/** For jobs/waking.ts. Deliveries that nobody can lease yet are not due (parkDeliveries). */
export const SELECT_DUE = `select from webhook_deliveries where state = 'waiting' and due_at <= now()`;

/** A delivery that only this worker may attempt until its lease ends. `attempts`: without this one. */
export type LeasedDelivery = {
  id: number;
  lease: number;
  attempts: number;
  endpointId: string;
  creatorId: number;
  kind: EndpointKind;
  url: string;
  /** Sealed: the present one, and the former one while it still counts. */
  secrets: string[];
  isFailing: boolean;
  messageId: string;
  type: WebhookEvent;
  data: WebhookData;
  isTest: boolean;
  happenedAt: Date;
};

/** How many deliveries of each endpoint this process is attempting, by the endpoint's id. */
export type Running = ReadonlyMap<string, { creatorId: number; count: number; isFailing: boolean }>;

/**
 * Leases deliveries that are due, as many as the free places allow. A place goes to the
 * creator who uses the fewest, then to the endpoint that does, and each has a limit; those that fail share a part of the
 * places. However many endpoints of one creator are slow, other creators have places. Of one object, only the
 * first waiting delivery is leased. Leases that have ended return.
 */
export async function leaseDeliveries(ctx: Ctx, running: Running): Promise<LeasedDelivery[]> {
  const free = freePlaces(running);
  if (free.all <= 0) return [];
  const now = ctx.now();
  const at = sql`${now.toISOString()}::timestamptz`;
  const until = sql`${later(now, DELIVERY_LIMITS.lease).toISOString()}::timestamptz`;
  const taken = [...running].map(([id, { creatorId, count }]) => ({ id, creator_id: creatorId, count }));
  const rows = await ctx.db.execute<LeasedRow>(sql`
    with recursive taken as (
      select * from jsonb_to_recordset(${JSON.stringify(taken)}::text::jsonb) as r (id uuid, creator_id bigint, count integer)
    ), busy as (
      (select endpoint_id from ${webhookDeliveries} where state = 'waiting' order by endpoint_id limit 1)
      union all
      select (select d.endpoint_id from ${webhookDeliveries} d
        where d.state = 'waiting' and d.endpoint_id > busy.endpoint_id order by d.endpoint_id limit 1)
      from busy where busy.endpoint_id is not null
    ), due as (
      select d.id, e.creator_id, e.failing_since is not null as fails,
        coalesce(r.count, 0) + row_number() over (partition by e.id order by d.due_at, d.id) as turn
      from busy join ${webhookEndpoints} e on e.id = busy.endpoint_id and e.disabled_at is null
      left join taken r on r.id = e.id
      cross join lateral (
        select d.id, d.due_at from ${webhookDeliveries} d
        where d.endpoint_id = e.id and d.state = 'waiting' and d.due_at <= ${at}
          and not exists (select from ${webhookDeliveries} before where before.endpoint_id = d.endpoint_id
            and before.object = d.object and before.id < d.id and before.state = 'waiting')
        order by d.due_at, d.id
        limit greatest(0, case when e.failing_since is null then ${DELIVERY_LIMITS.perEndpoint}::integer
          else ${DELIVERY_LIMITS.perFailingEndpoint}::integer end - coalesce(r.count, 0))
      ) d
    ), shared as (
      select id, turn, fails, row_number() over (partition by creator_id order by turn, id)
        + coalesce((select sum(count) from taken where taken.creator_id = due.creator_id), 0) as share
      from due
    ), placed as (
      select *, row_number() over (partition by fails order by share, turn, id) as place
      from shared where share <= ${DELIVERY_LIMITS.perCreator}::integer
    ), chosen as (
      select id from placed where not fails or place <= ${Math.max(0, free.failing)}::integer
      order by share, turn, id limit ${free.all}
    ), locked as (
      select d.id from ${webhookDeliveries} d join chosen on chosen.id = d.id
      -- another worker may have leased it since
      where d.state = 'waiting' and d.due_at <= ${at} order by d.id for update of d skip locked
    ), leased as (
      update ${webhookDeliveries} d set due_at = ${until}, lease = d.lease + 1 from locked where d.id = locked.id
      returning d.id, d.lease, d.attempts, d.endpoint_id, d.event_id
    )
    select leased.id, leased.lease, leased.attempts, leased.endpoint_id, e.creator_id, e.kind, e.url, e.sealed_secret,
      case when e.former_until > ${at} then e.former_secret end as former_secret, e.failing_since is not null as fails,
      v.message_id, v.type, v.data, v.is_test, v.happened_at
    from leased join ${webhookEndpoints} e on e.id = leased.endpoint_id join ${webhookEvents} v on v.id = leased.event_id
    order by leased.id`);
  return rows.map(toLeased);
}

/**
 * Moves deliveries that can't be leased to when they can: behind the first one of their object, or to the end of time while
 * their endpoint is off. Otherwise, they would be due all the time, and the job would start again and again.
 */
export async function parkDeliveries({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const at = sql`${now().toISOString()}::timestamptz`;
  await db.execute(sql`
    update ${webhookDeliveries} d
    set due_at = case when e.disabled_at is null then first.due_at else 'infinity' end
    from ${webhookDeliveries} due join ${webhookEndpoints} e on e.id = due.endpoint_id
    cross join lateral (
      select f.due_at from ${webhookDeliveries} f
      where f.endpoint_id = due.endpoint_id and f.object = due.object and f.state = 'waiting' order by f.id limit 1
    ) first
    where d.id = due.id and d.state = 'waiting' and d.due_at <= ${at} and due.state = 'waiting' and due.due_at <= ${at}
      and (e.disabled_at is not null or first.due_at > ${at})`);
}

function freePlaces(running: Running): { all: number; failing: number } {
  let [all, failing] = [0, 0];
  for (const { count, isFailing } of running.values()) {
    all += count;
    if (isFailing) failing += count;
  }
  return { all: DELIVERY_LIMITS.places - all, failing: DELIVERY_LIMITS.failingPlaces - failing };
}

type LeasedRow = {
  id: string;
  lease: number;
  attempts: number;
  endpoint_id: string;
  creator_id: string;
  kind: EndpointKind;
  url: string;
  sealed_secret: string;
  former_secret: string | null;
  fails: boolean;
  message_id: string;
  type: WebhookEvent;
  data: WebhookData;
  is_test: boolean;
  happened_at: string;
};

const toLeased = (row: LeasedRow): LeasedDelivery => ({
  id: Number(row.id),
  lease: row.lease,
  attempts: row.attempts,
  endpointId: row.endpoint_id,
  creatorId: Number(row.creator_id),
  kind: row.kind,
  url: row.url,
  secrets: [row.sealed_secret, row.former_secret].filter((secret) => secret !== null),
  isFailing: row.fails,
  messageId: row.message_id,
  type: row.type,
  data: row.data,
  isTest: row.is_test,
  happenedAt: new Date(row.happened_at),
});
