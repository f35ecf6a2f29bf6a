import { and, desc, eq, lt } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { webhookAttempts, webhookDeliveries, webhookEvents } from '~/db/schema/webhooks';
import type { WebhookData, WebhookEvent } from '~/db/values/webhook-events';
import { DAYS, earlier, later } from '../base/time';
import { listEndpoints } from '../domain/webhooks/endpoints';
import { isDelivered } from '../domain/webhooks/rules';
import { createEndpoint } from '../domain/webhooks/save-endpoint';
import { switchEndpoint } from '../domain/webhooks/switch-endpoint';
import { DELIVERY_LIMITS } from '../limits/webhooks';
import { requireCreator } from '../policy/actor';
import { type TxCtx, transact } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';
import { firstShowOf } from './plays';

const OWNER = 'lucia@altavoz.example';
const URL_OF_DEMO = 'https://hooks.eltaller.example/altavoz';
const EVENTS: WebhookEvent[] = ['episode.published', 'subscription.started', 'downloads.milestone'];
/** Between two events. The log keeps those of a month. */
const EVERY = DAYS(5);

type Outcome = { status: number; ms: number; answer: string };
type PastEvent = { type: WebhookEvent; data: WebhookData; outcomes: Outcome[] };
const ACCEPTED: Outcome = { status: 200, ms: 84, answer: '{"ok":true}' };
const BUSY: Outcome = { status: 503, ms: 41, answer: 'Service Unavailable' };
const FAULT: Outcome = { status: 500, ms: 37, answer: 'TypeError: Cannot read properties of null' };
const FAILED = [...DELIVERY_LIMITS.retryDelays.map(() => FAULT), FAULT];

/**
 * An address with a log: delivered at once, delivered after an answer of 503, and failed. It is switched off in the
 * transaction that adds it, so no worker ever calls it; past events and their attempts are inserted.
 */
export async function seedWebhooks(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const person = cast.find(({ email }) => email === OWNER);
  if (!person) return;
  const now = runtime.now();
  const events = await listPastEvents(runtime);
  const owner = await actAs(runtime, person, earlier(now, (events.length + 1) * EVERY));
  if ((await listEndpoints(owner)).some(({ url }) => url === URL_OF_DEMO)) return;
  await transact(owner, async (tx) => {
    const added = { kind: 'webhook' as const, url: URL_OF_DEMO, description: 'Web del taller', events: EVENTS };
    const { id: endpointId } = await createEndpoint(tx, added);
    await switchEndpoint({ ...tx, now: () => now }, { endpointId, isOn: false });
    await insertLog(tx, { endpointId, events, now });
  });
}

/** About the first show and its latest episodes, the oldest first. */
async function listPastEvents({ db, now }: Pick<Runtime, 'db' | 'now'>): Promise<PastEvent[]> {
  const show = await firstShowOf(db, OWNER);
  if (!show) return [];
  const { productId } = show;
  // a worker may still be checking their files
  const published = await db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), lt(episodes.releaseAt, now())))
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(2);
  const outcomes = [[BUSY, ACCEPTED], FAILED];
  const aboutEpisodes = published.map(({ id }, at) => ({
    ...{ type: 'episode.published' as const, data: { id, show_id: productId } },
    outcomes: outcomes[at] ?? [ACCEPTED],
  }));
  return [
    { type: 'downloads.milestone', data: { id: productId, downloads: 1000 }, outcomes: [ACCEPTED] },
    ...aboutEpisodes.reverse(),
    { type: 'subscription.started', data: { id: 1, show_id: productId }, outcomes: [{ ...ACCEPTED, ms: 112 }] },
  ];
}

type Log = { endpointId: string; events: PastEvent[]; now: Date };

async function insertLog(tx: TxCtx, { endpointId, events, now }: Log): Promise<void> {
  if (events.length === 0) return;
  const { creatorId } = requireCreator(tx);
  const happenedAt = (place: number) => earlier(now, (events.length - place) * EVERY);
  const facts = events.map(({ type, data }, place) => ({ creatorId, type, data, happenedAt: happenedAt(place) }));
  const noted = await tx.db.insert(webhookEvents).values(facts).returning({ id: webhookEvents.id });
  const attempts = events.map(({ outcomes }, place) => attemptsOf(outcomes, happenedAt(place)));
  const settled = events.map(({ type, data, outcomes }, place) => ({
    ...{ endpointId, eventId: noted[place]!.id, object: `${type.split('.', 1)[0]}:${data.id}` },
    state: isDelivered(outcomes.at(-1)!.status) ? ('delivered' as const) : ('failed' as const),
    ...{ attempts: outcomes.length, settledAt: attempts[place]!.at(-1)!.startedAt },
  }));
  const deliveries = await tx.db.insert(webhookDeliveries).values(settled).returning({ id: webhookDeliveries.id });
  const made = attempts.flatMap((list, place) => list.map((each) => ({ ...each, deliveryId: deliveries[place]!.id })));
  await tx.db.insert(webhookAttempts).values(made);
}

/** The attempts with the times between them. */
function attemptsOf(outcomes: Outcome[], happenedAt: Date) {
  let startedAt = later(happenedAt, 400);
  return outcomes.map((outcome, before) => {
    if (before > 0) startedAt = later(startedAt, DELIVERY_LIMITS.retryDelays[before - 1]!);
    return { ...outcome, number: before + 1, startedAt, failure: null };
  });
}
