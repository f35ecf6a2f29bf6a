import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '~/db/schema/webhooks';
import { leaseDeliveries, type Running } from '~/server/domain/webhooks/lease-deliveries';
import { DELIVERY_LIMITS } from '~/server/limits/webhooks';
import { webhookStage } from './webhook-stage';

const { ctx, db, lucia, make } = await webhookStage();
const other = await make.creator();

/** Endpoints of a creator with deliveries that are due, in the order of their ids. */
async function backlog(creatorId: number, { endpoints, each }: { endpoints: number; each: number }) {
  const ids = Array.from({ length: endpoints }, () => randomUUID());
  const address = { kind: 'webhook', url: 'https://hooks.example/', sealedSecret: '' } as const;
  await db.insert(webhookEndpoints).values(ids.map((id) => ({ id, creatorId, ...address })));
  const fact = { creatorId, type: 'show.created' as const, data: { id: 1 } };
  const [event] = await db.insert(webhookEvents).values(fact).returning();
  const row = (endpointId: string, i: number) => ({ endpointId, eventId: event!.id, object: `show:${i}` });
  await db.insert(webhookDeliveries).values(ids.flatMap((id) => Array.from({ length: each }, (_, i) => row(id, i))));
}

const counted = (of: { creatorId: number }[]) => ({
  lucia: of.filter(({ creatorId }) => creatorId === lucia.creatorId).length,
  other: of.filter(({ creatorId }) => creatorId === other.creatorId).length,
});

test('however many slow endpoints a creator has, the event of another one is leased at once', async () => {
  await backlog(lucia.creatorId, { endpoints: 10, each: 30 });
  await backlog(other.creatorId, { endpoints: 1, each: 1 });

  const leased = await leaseDeliveries(ctx, new Map());

  expect(counted(leased)).toEqual({ lucia: DELIVERY_LIMITS.perCreator, other: 1 });
  // none has an answer yet
  const running = new Map<string, { creatorId: number; count: number; isFailing: boolean }>();
  for (const { endpointId, creatorId } of leased)
    running.set(endpointId, { creatorId, count: (running.get(endpointId)?.count ?? 0) + 1, isFailing: false });
  expect(counted(await leaseDeliveries(ctx, running))).toEqual({ lucia: 0, other: 0 });
});

test('a place that becomes free goes to the creator who uses the fewest, not to the oldest delivery', async () => {
  await backlog(other.creatorId, { endpoints: 1, each: 5 });
  const taken = DELIVERY_LIMITS.places - 5;
  const running: Running = new Map([
    [randomUUID(), { creatorId: lucia.creatorId, count: 3, isFailing: false }],
    [randomUUID(), { creatorId: 0, count: taken, isFailing: false }],
  ]);

  const leased = await leaseDeliveries(ctx, running);

  expect(counted(leased)).toEqual({ lucia: 0, other: 2 });
});
