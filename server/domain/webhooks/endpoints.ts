import { and, asc, count, eq, inArray } from 'drizzle-orm';
import { webhookDeliveries, webhookEndpoints } from '~/db/schema/webhooks';
import type { DisabledReason, EndpointKind, WebhookEvent } from '~/db/values/webhook-events';
import { WEBHOOK_LIMITS } from '../../limits/webhooks';
import type { Ctx } from '../../runtime/ctx';
import { type EndpointRow, ownCreator } from './queries';
import { type SampleEvent, sampleEvent } from './sample-events';
import type { FindSample } from './schema';

/** `events`: null for all. `formerUntil`: until when messages are signed with the former secret as well. */
export type EndpointView = {
  id: string;
  kind: EndpointKind;
  url: string;
  description: string;
  events: WebhookEvent[] | null;
  createdAt: Date;
  disabledAt: Date | null;
  disabledFor: DisabledReason | null;
  failingSince: Date | null;
  formerUntil: Date | null;
  /** Deliveries that are not settled. */
  waiting: number;
};

/** The endpoints of the creator that the user works for, the oldest first. */
export async function listEndpoints(ctx: Ctx): Promise<EndpointView[]> {
  const creator = ownCreator(ctx);
  const rows = await ctx.db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.creatorId, creator.id))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id))
    .limit(WEBHOOK_LIMITS.endpoints);
  const waiting = await countWaiting(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toView(row, waiting.get(row.id) ?? 0, ctx.now()));
}

/** A made-up message of one event, for tools that show its fields before one has happened. */
export async function findSampleEvent(ctx: Ctx, { type }: FindSample): Promise<SampleEvent> {
  ownCreator(ctx);
  return sampleEvent(type, ctx.now());
}

async function countWaiting({ db }: Ctx, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: webhookDeliveries.endpointId, waiting: count() })
    .from(webhookDeliveries)
    .where(and(inArray(webhookDeliveries.endpointId, ids), eq(webhookDeliveries.state, 'waiting')))
    .groupBy(webhookDeliveries.endpointId)
    .orderBy(webhookDeliveries.endpointId);
  return new Map(rows.map(({ id, waiting }) => [id, waiting]));
}

function toView(row: EndpointRow, waiting: number, now: Date): EndpointView {
  const { id, kind, url, description, events, createdAt, disabledAt, disabledFor, failingSince, formerUntil } = row;
  return {
    ...{ id, kind, url, description, events, createdAt, disabledAt, disabledFor, failingSince, waiting },
    formerUntil: formerUntil && formerUntil > now ? formerUntil : null,
  };
}
