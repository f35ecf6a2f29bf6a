import { allowsScope } from '~/db/values/api-scopes';
import { SCOPE_OF_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from '~/db/values/webhook-events';
import { scopeMissing } from '../../base/errors';
import type { Ctx } from '../../runtime/ctx';

/** @returns the scopes that a key or an app lacks for these events; none for people */
function lackingScopes({ actor }: Pick<Ctx, 'actor'>, events: readonly WebhookEvent[]): string[] {
  const scopes = actor.type === 'user' ? actor.scopes : undefined;
  if (!scopes) return [];
  const needed = new Set(events.flatMap((event) => SCOPE_OF_EVENT[event] ?? []));
  return [...needed].filter((scope) => !allowsScope(scopes, scope));
}

/**
 * A key or an app must be allowed to read what it has sent to an address: otherwise, `webhooks:write` would be enough to
 * learn each amount. @param events null for all @throws api.scope_missing
 */
export function requireEventScopes(ctx: Pick<Ctx, 'actor'>, events: readonly WebhookEvent[] | null): void {
  const lacking = lackingScopes(ctx, events ?? WEBHOOK_EVENTS);
  if (lacking.length > 0) throw scopeMissing({ scope: lacking.join(' ') });
}

/** Whether the log may show what the event says. */
export const maySeeData = (ctx: Pick<Ctx, 'actor'>, event: WebhookEvent): boolean =>
  lackingScopes(ctx, [event]).length === 0;
