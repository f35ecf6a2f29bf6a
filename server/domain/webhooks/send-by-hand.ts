import { and, eq, like, or } from 'drizzle-orm';
import { webhookDeliveries, webhookEvents } from '~/db/schema/webhooks';
import { WEBHOOK_LIMITS } from '../../limits/webhooks';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { recordActivity } from '../team/activity';
import { deliveryNotFound, endpointOff, eventNotOfChat, tooManyByHand } from './errors';
import { requireEventScopes } from './event-scopes';
import { eventsFor } from './kinds';
import { type EndpointRow, findOwnEndpoint, type OwnCreator, ownCreator } from './queries';
import { repeatOf } from './rules';
import { sampleDataOf } from './sample-events';
import type { FindDelivery, SendTest } from './schema';

/**
 * Sends a made-up event to one endpoint, also one for which its other events were not chosen.
 * @throws webhook.not_found, webhook.switched_off, webhook.event_not_of_chat, webhook.too_many_by_hand
 */
export async function sendTestEvent(ctx: Ctx, { endpointId, type }: SendTest): Promise<void> {
  const creator = ownCreator(ctx);
  const endpoint = await findOwnEndpoint(ctx, creator, endpointId);
  if (!eventsFor(endpoint.kind).includes(type)) throw eventNotOfChat({ events: type });
  await sendTo(ctx, { creator, endpoint, action: 'webhook.tested' }, async (tx) => {
    const facts = { creatorId: creator.id, type, data: sampleDataOf(type), isTest: true, happenedAt: tx.now() };
    const [event] = await tx.db.insert(webhookEvents).values(facts).returning({ id: webhookEvents.id });
    // each test is an object of its own, and waits for nothing
    return { eventId: event!.id, object: `test:${event!.id}` };
  });
}

/**
 * Sends an event once more, as a delivery of its own with the same `webhook-id`. Once it arrives, a former delivery of the
 * event does not wait any longer.
 * @throws webhook.not_found, webhook.delivery_not_found, webhook.switched_off, webhook.too_many_by_hand, api.scope_missing
 */
export async function redeliver(ctx: Ctx, { endpointId, deliveryId }: FindDelivery): Promise<void> {
  const creator = ownCreator(ctx);
  const endpoint = await findOwnEndpoint(ctx, creator, endpointId);
  await sendTo(ctx, { creator, endpoint, action: 'webhook.redelivered' }, async (tx) => {
    const [former] = await tx.db
      .select({ eventId: webhookDeliveries.eventId, type: webhookEvents.type })
      .from(webhookDeliveries)
      .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
      .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.endpointId, endpoint.id)));
    if (!former) throw deliveryNotFound();
    requireEventScopes(ctx, [former.type]);
    // an object of its own: it is not new, and nothing new waits for it
    return { eventId: former.eventId, object: repeatOf(former.eventId) };
  });
}

type Sending = {
  creator: OwnCreator;
  endpoint: EndpointRow;
  action: 'webhook.tested' | 'webhook.redelivered';
};
type NewDelivery = { eventId: number; object: string };

async function sendTo(
  ctx: Ctx,
  { creator, endpoint, action }: Sending,
  prepare: (tx: TxCtx) => Promise<NewDelivery>,
): Promise<void> {
  if (endpoint.disabledAt) throw endpointOff();
  await transact(ctx, async (tx) => {
    const delivery = await prepare(tx);
    const count = WEBHOOK_LIMITS.byHand;
    const waiting = and(
      eq(webhookDeliveries.endpointId, endpoint.id),
      eq(webhookDeliveries.state, 'waiting'),
      or(like(webhookDeliveries.object, 'test:%'), like(webhookDeliveries.object, 'again:%')),
    );
    if ((await tx.db.$count(webhookDeliveries, waiting)) >= count) throw tooManyByHand({ count });
    await tx.db.insert(webhookDeliveries).values({ endpointId: endpoint.id, ...delivery });
    await recordActivity(tx, { creatorId: creator.id, action, params: { host: new URL(endpoint.url).host } });
  });
}
