import { randomUUID } from 'node:crypto';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '~/db/schema/webhooks';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';

type Stage = { runtime: Pick<Runtime, 'db'>; owner: { creatorId: number } };

/** An endpoint with a delivery, in a creator's name. `mark` is in each of its texts. */
export async function webhookRow({ runtime: { db }, owner: { creatorId } }: Stage, mark = 'hook') {
  const endpointId = randomUUID();
  const address = { url: `https://hooks.example/${mark}-url`, description: `${mark}-description` };
  await db
    .insert(webhookEndpoints)
    .values({ id: endpointId, creatorId, kind: 'webhook', ...address, sealedSecret: `${mark}-secret` });
  const event = { creatorId, type: 'show.created', data: { id: 1, note: `${mark}-data` } } as const;
  const [{ id: eventId } = { id: 0 }] = await db.insert(webhookEvents).values(event).returning();
  const [delivery] = await db.insert(webhookDeliveries).values({ endpointId, eventId, object: 'show:1' }).returning();
  return { endpointId, deliveryId: delivery!.id };
}

/** The rows of the authorization matrix about webhooks. */
export function webhookRows(stage: Stage) {
  const row = () => webhookRow(stage);
  const found = async () => ({ endpointId: (await row()).endpointId });
  const change = { url: 'https://hooks.example/new', description: '', events: [] };
  return {
    'webhooks.sample': [['creator.manageWebhooks', () => ({ type: 'show.created' })]],
    'webhooks.create': [['creator.manageWebhooks', () => change]],
    'webhooks.deliveries': [['ownerAlone', found]],
    'webhooks.delivery': [['ownerAlone', row]],
    'webhooks.change': [['ownerAlone', async () => ({ ...(await found()), ...change })]],
    'webhooks.rotateSecret': [['ownerAlone', found]],
    'webhooks.switch': [['ownerAlone', async () => ({ ...(await found()), isOn: false })]],
    'webhooks.test': [['ownerAlone', async () => ({ ...(await found()), type: 'show.created' })]],
    'webhooks.redeliver': [['ownerAlone', row]],
    'webhooks.remove': [['ownerAlone', found]],
  } satisfies Record<string, [rule: Rule, input: () => Input | Promise<Input>][]>;
}
