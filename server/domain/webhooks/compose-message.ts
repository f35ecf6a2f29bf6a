import type { Ctx } from '../../runtime/ctx';
import { chatText } from './chat-text';
import type { LeasedDelivery } from './lease-deliveries';
import { messageIdOf, signedHeaders } from './rules';

type Message = { headers: Record<string, string>; body: string };

/** The request to an endpoint: a signed one after the Standard Webhooks specification, or a message of a chat service. */
export async function composeMessage(ctx: Ctx, delivery: LeasedDelivery): Promise<Message> {
  const body = JSON.stringify(await contentOf(ctx, delivery));
  const headers = { 'content-type': 'application/json' };
  if (delivery.kind !== 'webhook') return { headers, body };
  const secrets = delivery.secrets.map((sealed) => ctx.vault.open(sealed, sealedFor(delivery.endpointId)));
  const id = messageIdOf(delivery.messageId);
  return { headers: { ...headers, ...signedHeaders({ id, at: ctx.now(), body }, secrets) }, body };
}

export const sealedFor = (endpointId: string): string => `webhook endpoint ${endpointId}`;

async function contentOf(ctx: Ctx, delivery: LeasedDelivery): Promise<object> {
  const { kind, type, happenedAt, data, isTest } = delivery;
  // neither reads markup or mentions, wherever the texts come from
  if (kind === 'slack') return { text: await chatText(ctx, delivery, 'slack'), mrkdwn: false };
  if (kind === 'discord') return { content: await chatText(ctx, delivery, 'discord'), allowed_mentions: { parse: [] } };
  return { type, timestamp: happenedAt.toISOString(), data, ...(isTest && { test: true }) };
}
