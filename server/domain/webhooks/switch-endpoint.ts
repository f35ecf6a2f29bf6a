import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { webhookDeliveries, webhookEndpoints } from '~/db/schema/webhooks';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { recordActivity } from '../team/activity';
import { findOwnEndpoint, ownCreator } from './queries';
import type { SwitchEndpoint } from './schema';

/**
 * Switches an endpoint off or on again. What happens while it is off is never sent; what waited before is sent when it is
 * on again. Repeating it changes nothing. @throws webhook.not_found
 */
export async function switchEndpoint(ctx: Ctx, { endpointId, isOn }: SwitchEndpoint): Promise<void> {
  const creator = ownCreator(ctx);
  const { id, url } = await findOwnEndpoint(ctx, creator, endpointId);
  await transact(ctx, async (tx) => {
    const now = tx.now();
    const state = isOn
      ? { disabledAt: null, disabledFor: null, failingSince: null }
      : { disabledAt: now, disabledFor: 'owner' as const };
    const isOther = isOn ? isNotNull(webhookEndpoints.disabledAt) : isNull(webhookEndpoints.disabledAt);
    const changed = await tx.db
      .update(webhookEndpoints)
      .set({ ...state, updatedAt: now })
      .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.creatorId, creator.id), isOther))
      .returning({ id: webhookEndpoints.id });
    if (changed.length === 0) return;
    if (isOn) await dueAgain(tx, id);
    const action = isOn ? 'webhook.switched_on' : 'webhook.switched_off';
    await recordActivity(tx, { creatorId: creator.id, action, params: { host: new URL(url).host } });
  });
}

/** What was parked while the endpoint was off (lease-deliveries.ts). */
async function dueAgain({ db }: TxCtx, endpointId: string): Promise<void> {
  const isParked = sql`${webhookDeliveries.dueAt} = 'infinity'`;
  await db
    .update(webhookDeliveries)
    .set({ dueAt: sql`to_timestamp(0)` })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.state, 'waiting'), isParked));
}
