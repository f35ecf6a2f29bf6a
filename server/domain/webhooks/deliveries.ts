import { and, asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { webhookAttempts, webhookDeliveries, webhookEvents } from '~/db/schema/webhooks';
import type { WebhookData, WebhookEvent, WebhookState } from '~/db/values/webhook-events';
import type { Page } from '../../base/paging';
import { DELIVERY_LIMITS, WEBHOOK_LIMITS } from '../../limits/webhooks';
import type { Ctx } from '../../runtime/ctx';
import { deliveryNotFound } from './errors';
import { maySeeData } from './event-scopes';
import { findOwnEndpoint, ownCreator } from './queries';
import { isRepeat, messageIdOf } from './rules';
import type { FindDelivery, ListDeliveries } from './schema';

/** `failure`: the code of an error, if there was no answer. `isCut`: a list has only the beginning of the answer. */
export type AttemptView = {
  number: number;
  startedAt: Date;
  ms: number;
  status: number | null;
  failure: string | null;
  answer: string;
  isCut: boolean;
};
/**
 * `messageId`: the `webhook-id` of its messages. `isRepeat`: it was sent again by hand. `nextAt`: of a delivery that waits for another attempt; null while its
 * endpoint is off.
 */
export type DeliveryView = {
  id: number;
  type: WebhookEvent;
  data: WebhookData;
  messageId: string;
  isTest: boolean;
  isRepeat: boolean;
  happenedAt: Date;
  state: WebhookState;
  nextAt: Date | null;
  attempts: AttemptView[];
};

/** The log of an endpoint, the latest first, with the attempts of each delivery. @throws webhook.not_found */
export async function listDeliveries(
  ctx: Ctx,
  { endpointId, page, pageSize = WEBHOOK_LIMITS.listed }: ListDeliveries,
): Promise<Page<DeliveryView>> {
  const endpoint = await findOwnEndpoint(ctx, ownCreator(ctx), endpointId);
  const own = eq(webhookDeliveries.endpointId, endpoint.id);
  const [rows, [counted]] = await Promise.all([
    selectDeliveries(ctx, own)
      .orderBy(desc(webhookDeliveries.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.select({ total: count() }).from(webhookDeliveries).where(own),
  ]);
  const items = await withAttempts(ctx, rows, WEBHOOK_LIMITS.listedAnswer);
  return { items, total: counted?.total ?? 0, page, pageSize };
}

/** One delivery with whole answers. @throws webhook.not_found, webhook.delivery_not_found */
export async function findDelivery(ctx: Ctx, { endpointId, deliveryId }: FindDelivery): Promise<DeliveryView> {
  const endpoint = await findOwnEndpoint(ctx, ownCreator(ctx), endpointId);
  const isIt = and(eq(webhookDeliveries.endpointId, endpoint.id), eq(webhookDeliveries.id, deliveryId));
  const [delivery] = await withAttempts(ctx, await selectDeliveries(ctx, isIt), DELIVERY_LIMITS.answerBytes);
  if (!delivery) throw deliveryNotFound();
  return delivery;
}

const selectDeliveries = ({ db }: Ctx, condition: SQL | undefined) =>
  db
    .select({ delivery: webhookDeliveries, event: webhookEvents })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(condition);

type Row = Awaited<ReturnType<typeof selectDeliveries>>[number];

/** @param characters of each answer */
async function withAttempts(ctx: Ctx, rows: Row[], characters: number): Promise<DeliveryView[]> {
  const attempts = await listAttempts(
    ctx,
    rows.map(({ delivery }) => delivery.id),
    characters,
  );
  return rows.map(({ delivery: { id, object, state, dueAt, attempts: made }, event }) => ({
    // the id alone, for a key that may not read the rest
    data: maySeeData(ctx, event.type) ? event.data : { id: event.data.id ?? null },
    ...{ id, type: event.type, isTest: event.isTest, happenedAt: event.happenedAt, state },
    ...{ messageId: messageIdOf(event.messageId), isRepeat: isRepeat(object) },
    nextAt: state === 'waiting' && made > 0 && Number.isFinite(dueAt.getTime()) ? dueAt : null,
    attempts: attempts.flatMap(({ deliveryId, ...attempt }) => (deliveryId === id ? [attempt] : [])),
  }));
}

/** The database cuts the answers: together, those of a page can have 16 MB. */
async function listAttempts({ db }: Ctx, ids: number[], characters: number) {
  if (ids.length === 0) return [];
  const { deliveryId, number, startedAt, ms, status, failure, answer } = webhookAttempts;
  return db
    .select({
      ...{ deliveryId, number, startedAt, ms, status, failure },
      answer: sql<string>`left(${answer}, ${characters})`,
      isCut: sql<boolean>`length(${answer}) > ${characters}`,
    })
    .from(webhookAttempts)
    .where(inArray(deliveryId, ids))
    .orderBy(asc(deliveryId), asc(number));
}
