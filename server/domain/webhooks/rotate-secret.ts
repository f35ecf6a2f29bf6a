import { and, eq, sql } from 'drizzle-orm';
import { webhookEndpoints } from '~/db/schema/webhooks';
import { later } from '../../base/time';
import { WEBHOOK_LIMITS } from '../../limits/webhooks';
import { type Ctx, transact } from '../../runtime/ctx';
import { recordActivity } from '../team/activity';
import { sealedFor } from './compose-message';
import { endpointNotFound } from './errors';
import { findOwnEndpoint, ownCreator } from './queries';
import { newSecret } from './rules';
import type { FindEndpoint } from './schema';

/**
 * Replaces the secret of an endpoint. For a day, messages have a signature with each of both, so that its program can be
 * changed meanwhile. The new secret is shown only now. @throws webhook.not_found
 */
export async function rotateSecret(ctx: Ctx, { endpointId }: FindEndpoint): Promise<{ secret: string }> {
  const creator = ownCreator(ctx);
  const row = await findOwnEndpoint(ctx, creator, endpointId);
  // a chat has no secret
  if (row.kind !== 'webhook') throw endpointNotFound();
  const secret = newSecret();
  await transact(ctx, async (tx) => {
    const [rotated] = await tx.db
      .update(webhookEndpoints)
      .set({
        sealedSecret: tx.vault.seal(secret, sealedFor(row.id)),
        // of two rotations within a day, the secret that was in use first stays no longer
        formerSecret: sql`${webhookEndpoints.sealedSecret}`,
        formerUntil: later(tx.now(), WEBHOOK_LIMITS.overlap),
        updatedAt: tx.now(),
      })
      .where(and(eq(webhookEndpoints.id, row.id), eq(webhookEndpoints.creatorId, creator.id)))
      .returning({ id: webhookEndpoints.id });
    if (!rotated) throw endpointNotFound();
    const params = { host: new URL(row.url).host };
    await recordActivity(tx, { creatorId: creator.id, action: 'webhook.secret_replaced', params });
  });
  return { secret };
}
