import { and, eq } from 'drizzle-orm';
import { webhookEndpoints } from '~/db/schema/webhooks';
import { currentCreator } from '../../policy/actor';
import { type Allowed, authorize } from '../../policy/authorize';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { endpointNotFound } from './errors';

export type EndpointRow = typeof webhookEndpoints.$inferSelect;
export type OwnCreator = Allowed<'creator.manageWebhooks', { id: number }>;

/** The creator that the user works for. @throws common.role_not_allowed */
export const ownCreator = (ctx: Ctx): OwnCreator => authorize(ctx, 'creator.manageWebhooks', currentCreator(ctx));

/** @throws webhook.not_found, also for an endpoint of another creator */
export async function findOwnEndpoint(ctx: Ctx | TxCtx, creator: OwnCreator, endpointId: string): Promise<EndpointRow> {
  const [row] = await ctx.db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, endpointId), eq(webhookEndpoints.creatorId, creator.id)));
  if (!row) throw endpointNotFound();
  return row;
}
