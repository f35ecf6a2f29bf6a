import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { webhookEndpoints } from '~/db/schema/webhooks';
import type { EndpointKind, WebhookEvent } from '~/db/values/webhook-events';
import { AppError } from '../../base/errors';
import { WEBHOOK_LIMITS } from '../../limits/webhooks';
import { requireUser } from '../../policy/actor';
import { type Ctx, transact } from '../../runtime/ctx';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { sealedFor } from './compose-message';
import {
  chatEventRequired,
  eventNotOfChat,
  tooManyEndpoints,
  urlNotOfService,
  urlOfChat,
  urlUnreachable,
  urlUnsafe,
} from './errors';
import { requireEventScopes } from './event-scopes';
import { eventsFor } from './kinds';
import { findOwnEndpoint, ownCreator } from './queries';
import { faultOfUrl, newSecret } from './rules';
import type { ChangeEndpoint, FindEndpoint, SaveEndpoint } from './schema';

/** `secret`: shown only now. Null for chat services, whose addresses are the secrets. */
export type NewEndpoint = { id: string; secret: string | null };

/**
 * Adds an endpoint. What happens from now on is sent to it.
 * @throws api.scope_missing, webhook.url_unsafe, webhook.url_private, webhook.url_not_of_service, webhook.url_of_chat, webhook.chat_event_required, webhook.event_not_of_chat,
 * webhook.limit_reached
 */
export async function createEndpoint(ctx: Ctx, input: SaveEndpoint): Promise<NewEndpoint> {
  const creator = ownCreator(ctx);
  const { kind, url, description } = input;
  const createdBy = requireUser(ctx).userId;
  const events = eventsOf(kind, input.events);
  requireEventScopes(ctx, events);
  await checkUrl(ctx, url, kind);
  const id = randomUUID();
  const secret = newSecret();
  await transact(ctx, async (tx) => {
    // two requests at once would both find room
    await lockCreator(tx, creator.id);
    const count = WEBHOOK_LIMITS.endpoints;
    const own = await tx.db.$count(webhookEndpoints, eq(webhookEndpoints.creatorId, creator.id));
    if (own >= count) throw tooManyEndpoints({ count });
    const sealedSecret = tx.vault.seal(secret, sealedFor(id));
    const row = { id, creatorId: creator.id, kind, url, description, events, sealedSecret, createdBy };
    await tx.db.insert(webhookEndpoints).values({ ...row, createdAt: tx.now(), updatedAt: tx.now() });
    await recordActivity(tx, { creatorId: creator.id, action: 'webhook.added', params: hostOf(url) });
  });
  return { id, secret: kind === 'webhook' ? secret : null };
}

/** @throws webhook.not_found, and those of createEndpoint about the address and the events */
export async function changeEndpoint(ctx: Ctx, input: ChangeEndpoint): Promise<void> {
  const creator = ownCreator(ctx);
  const { id, kind, events: former } = await findOwnEndpoint(ctx, creator, input.endpointId);
  const { url, description } = input;
  const events = eventsOf(kind, input.events);
  // what waits, of the former events, is sent to the new address
  for (const list of [events, former]) requireEventScopes(ctx, list);
  await checkUrl(ctx, url, kind);
  await transact(ctx, async (tx) => {
    await tx.db
      .update(webhookEndpoints)
      .set({ url, description, events, updatedAt: tx.now() })
      .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.creatorId, creator.id)));
    await recordActivity(tx, { creatorId: creator.id, action: 'webhook.changed', params: hostOf(url) });
  });
}

/** Deletes an endpoint, with what waits for it and its log. Repeating it fails. @throws webhook.not_found */
export async function removeEndpoint(ctx: Ctx, { endpointId }: FindEndpoint): Promise<void> {
  const creator = ownCreator(ctx);
  const { id, url } = await findOwnEndpoint(ctx, creator, endpointId);
  await transact(ctx, async (tx) => {
    const deleted = await tx.db
      .delete(webhookEndpoints)
      .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.creatorId, creator.id)))
      .returning({ id: sql`1` });
    if (deleted.length > 0)
      await recordActivity(tx, { creatorId: creator.id, action: 'webhook.removed', params: hostOf(url) });
  });
}

const FAULTS = { unsafe: urlUnsafe, not_of_service: urlNotOfService, of_chat: urlOfChat };

/** The fetcher checks the address again at each delivery, together with the addresses that its name has then. */
async function checkUrl(ctx: Ctx, url: string, kind: EndpointKind): Promise<void> {
  const fault = faultOfUrl(url, kind);
  if (fault) throw FAULTS[fault]();
  await ctx.ports.fetcher.checkAddress(url).catch((error) => {
    throw error instanceof AppError ? Object.assign(urlUnreachable(hostOf(url)), { cause: error }) : error;
  });
}

/** Null for all events. */
function eventsOf(kind: EndpointKind, chosen: WebhookEvent[]): WebhookEvent[] | null {
  const others = chosen.filter((event) => !eventsFor(kind).includes(event));
  if (others.length > 0) throw eventNotOfChat({ events: others.join(', ') });
  if (kind !== 'webhook' && chosen.length === 0) throw chatEventRequired();
  return chosen.length === 0 ? null : chosen;
}

/** The rest of an address may be a secret. */
const hostOf = (url: string) => ({ host: new URL(url).host });
