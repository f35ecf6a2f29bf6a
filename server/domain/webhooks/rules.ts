import { createHmac, randomBytes } from 'node:crypto';
import type { DisabledReason, EndpointKind } from '~/db/values/webhook-events';
import { earlier, later, wholeSeconds } from '../../base/time';
import { DELIVERY_LIMITS, MILESTONE_LIMITS, WEBHOOK_LIMITS } from '../../limits/webhooks';
import type { ChatService } from './kinds';

/** When a delivery is tried again after so many failed attempts; null after the last one. */
export function nextDelivery(attempts: number, now: Date): Date | null {
  const delay = DELIVERY_LIMITS.retryDelays[attempts - 1];
  return delay === undefined ? null : later(now, delay);
}

/** Any answer between 200 and 299 is a success; redirects are not followed. */
export const isDelivered = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** What the log keeps of an answer. Whoever looks for a fault reads whole answers; successes would fill the disk. */
export function keptAnswer({ status, answer }: { status: number | null; answer: string }): {
  answer: string;
  isWhole: boolean;
} {
  const isWhole = !isDelivered(status) && answer.length > DELIVERY_LIMITS.keptAnswer;
  // half a character, which a cut can leave, and NUL are no text for Postgres
  const kept = isWhole ? answer : answer.slice(0, DELIVERY_LIMITS.keptAnswer);
  return { answer: kept.toWellFormed().replaceAll('\0', ''), isWhole };
}

const GONE = 410;

type Attempted = { status: number | null; failingSince: Date | null };

/** Why an endpoint is switched off after a failed attempt; null if it is not. */
export function reasonToDisable({ status, failingSince }: Attempted, now: Date): DisabledReason | null {
  if (status === GONE) return 'gone';
  return failingSince && failingSince <= earlier(now, DELIVERY_LIMITS.failing) ? 'failing' : null;
}

const PREFIX = 'whsec_';

/** A secret as the Standard Webhooks specification writes it. */
export const newSecret = (): string => PREFIX + randomBytes(WEBHOOK_LIMITS.secretBytes).toString('base64');

/** `webhook-id`: the same in every message about an event, so that its receiver recognises a repetition. */
export const messageIdOf = (uuid: string): string => `msg_${uuid.replaceAll('-', '')}`;

/** The object of an event that is sent again by hand. */
export const repeatOf = (eventId: number): string => `again:${eventId}`;
export const isRepeat = (object: string): boolean => object.startsWith('again:');

export type Message = { id: string; at: Date; body: string };

/**
 * The headers of a message, after the Standard Webhooks specification: while a secret is replaced, one signature with
 * each.
 */
export function signedHeaders({ id, at, body }: Message, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(wholeSeconds(at.getTime()));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

const SERVICES: Record<ChatService, RegExp> = {
  slack: /^https:\/\/hooks\.slack(?:-gov)?\.com\/(?:services|triggers|workflows)\/\S+$/,
  discord: /^https:\/\/(?:[a-z]+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d+\/\S+$/,
};
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|(?:[a-z0-9-]+\.)*localhost)(?::\d+)?\//;

/**
 * `unsafe`: messages would be readable on their way. `of_chat`: the service understands only its own messages; Slack's
 * workflows take any. The fetcher refuses this machine outside of tests.
 */
export function faultOfUrl(url: string, kind: EndpointKind): 'unsafe' | 'not_of_service' | 'of_chat' | null {
  if (LOOPBACK.test(url)) return null;
  if (!url.startsWith('https://')) return 'unsafe';
  if (kind !== 'webhook') return SERVICES[kind].test(url) ? null : 'not_of_service';
  return SERVICES.discord.test(url) || (SERVICES.slack.test(url) && url.includes('/services/')) ? 'of_chat' : null;
}

/** The last milestone that a number of downloads has reached; 0 before the first one. */
export function milestoneOf(downloads: number): number {
  let reached = 0;
  for (let next: number = MILESTONE_LIMITS.first; next <= downloads; next *= 10) reached = next;
  return reached;
}

/** A text in which nothing is read as a mention, a link or markup. */
export function escapeFor(service: ChatService, text: string): string {
  if (service === 'slack') return text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;' })[c] ?? '&gt;');
  return text.replace(/[\\`*_~|<>[\]()#@:-]/g, '\\$&');
}

/** Characters of a message. */
const LENGTHS: Record<ChatService, number> = { slack: 3000, discord: 2000 };

/** The text with its end, as long as the service accepts it: the text is cut, not the address. */
export function shortenFor(service: ChatService, text: string, end: string): string {
  const room = LENGTHS[service] - end.length;
  return (text.length <= room ? text : `${text.slice(0, room - 1).replace(/\\+$/, '')}…`) + end;
}
