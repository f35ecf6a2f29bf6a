import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq, inArray } from 'drizzle-orm';
import { atEnd } from 'stripe-sandbox/testing/at-end';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '~/db/schema/webhooks';
import type { WebhookEvent } from '~/db/values/webhook-events';
import type { FetcherSettings } from '~/server/adapters/feed-fetcher/port';
import { deliverWebhooks } from '~/server/domain/webhooks/deliver-webhooks';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { testFetcher } from '../../support/test-fetcher';

export type Received = { path: string; method: string; headers: IncomingHttpHeaders; body: string };

/** The cast, with a program that receives webhooks. `answers` decides what it answers below a path; by default 204. */
export async function webhookStage(settings: Partial<FetcherSettings> = {}) {
  const stage = await cast();
  const { runtime, lucia } = stage;
  const { db } = runtime;
  const received: Received[] = [];
  const answers = new Map<string, (res: ServerResponse, request: Received) => void>();
  const sink = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk) => {
      body += chunk;
    });
    req.on('end', () => {
      const request = { path: req.url ?? '', method: req.method ?? '', headers: req.headers, body };
      received.push(request);
      const answer = answers.get(request.path);
      if (answer) answer(res, request);
      else res.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  const fetcher = testFetcher(settings);
  Object.assign(runtime.ports, { fetcher });
  atEnd(async () => {
    await fetcher.close();
    sink.closeAllConnections();
    await new Promise((resolve) => sink.close(resolve));
  });
  const origin = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;

  let paths = 0;
  const newPath = () => `/hook${paths++}`;
  const status = (path: string, code: number, body = '') =>
    answers.set(path, (res) => res.writeHead(code, { 'content-type': 'text/plain' }).end(body));
  const create = async (events: WebhookEvent[] = [], by = lucia, path = newPath()) => ({
    path,
    ...(await by.api.webhooks.create({ url: origin + path, events })),
  });

  return {
    ...stage,
    db,
    origin,
    received,
    answers,
    status,
    newPath,
    create,
    ctx: systemCtx(runtime, 'webhooks.deliver'),
    deliver: () => deliverWebhooks(systemCtx(runtime, 'webhooks.deliver')),
    at: (path: string) => received.filter((request) => request.path === path),
    typesAt: (path: string) => received.flatMap((r) => (r.path === path ? [JSON.parse(r.body).type as string] : [])),
    endpointRow: async (id: string) =>
      (await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id)))[0]!,
    deliveriesOf: (id: string) =>
      db.select().from(webhookDeliveries).where(eq(webhookDeliveries.endpointId, id)).orderBy(webhookDeliveries.id),
    eventsOf: (creatorId: number, types: WebhookEvent[]) =>
      db
        .select()
        .from(webhookEvents)
        .where(and(eq(webhookEvents.creatorId, creatorId), inArray(webhookEvents.type, types)))
        .orderBy(webhookEvents.id),
  };
}
