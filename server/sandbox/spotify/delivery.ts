import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import { z } from 'zod';
import { SECONDS } from '../../base/time';
import type { SandboxContext } from './context';
import { faulty } from './open-access';
import type { SandboxFeed } from './store';

const feed = z.object({ name: z.string().min(1), url: z.url({ protocol: /^https?$/ }) });

/** The sandbox approves a feed after this time; Spotify takes up to 48 hours (spec §9). */
const APPROVAL = SECONDS(30);
const AWAITING = 'awaiting ingestion';
const VALID = 'ingested and valid';
const FAILED = 'ingested but failed validation';
/** The sentences of the specification (§4). */
export const INGESTION_STATUSES = [
  AWAITING,
  VALID,
  FAILED,
  'ingested with unknown validation status due to rate limit',
];

/** The API for deliveries. Its statuses are the four sentences of the specification (§4), because no others are public. */
export function mountDelivery(app: Hono, { client, store, faultOf }: SandboxContext): void {
  app.use('/podcastapi/v1/*', async (c, next) => {
    const fault = faultOf('rss-feeds');
    if (fault && fault !== 'away') return faulty(c, fault);
    if (c.req.query('token') !== client.deliveryToken) return c.json({ error: 'unauthorised' }, 401);
    return next();
  });
  app.post('/podcastapi/v1/rss-feeds', async (c) => {
    const given = feed.safeParse(await c.req.json().catch(() => null));
    if (!given.success) return c.json({ error: 'malformed' }, 400);
    const uri = `spotify:show:${randomBytes(11).toString('hex')}`;
    const kept = await store.submit({ ...given.data, uri, at: new Date() });
    if (kept === null) return c.json({ error: 'duplicate name' }, 409);
    return c.json({ spotifyUri: kept }, kept === uri ? 201 : 409);
  });
  app.get('/podcastapi/v1/rss-feeds/:uri', async (c) => {
    const found = await store.feed(c.req.param('uri'));
    if (!found) return c.json({ error: 'not found' }, 404);
    const status = statusOf(found);
    const problems = status === FAILED ? ['The feed has no owner address.'] : [];
    return c.json({ spotifyUri: found.uri, statusCode: 200, statusDescription: status, validationErrors: problems });
  });
  app.delete('/podcastapi/v1/rss-feeds/:uri', async (c) =>
    c.body(null, (await store.remove(c.req.param('uri'))) ? 200 : 404),
  );
}

/** As it was set, or by the time since it was submitted. */
export function statusOf({ status, submittedAt }: SandboxFeed): string {
  const isApproved = Date.now() - submittedAt >= APPROVAL;
  return status ?? (isApproved ? VALID : AWAITING);
}
