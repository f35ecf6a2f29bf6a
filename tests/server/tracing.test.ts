import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorker } from '~/jobs/worker';
import { parseEnv } from '~/server/env/read';
import { importSubscribers } from '~/server/queue/jobs/moving';
import { transact } from '~/server/runtime/ctx';
import { type OpenRuntime, openRuntime } from '~/server/runtime/open-runtime';
import { systemCtx } from '~/server/runtime/runtime';
import { createLog } from '~/server/watching/log';
import { startWeb, type Web } from '~/server/web';
import { cast } from '../support/cast';
import { pagesBuild } from '../support/pages-build';

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean };
type Span = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Value }[];
  status: { code?: number };
};

/** A collector that accepts what an exporter sends. */
const spans: Span[] = [];
const bodies: string[] = [];
let isSilent = false;
/** Requests that are neither answered nor aborted. */
const unanswered = new Set<http.ServerResponse>();
const collector = http.createServer(async (req, res) => {
  const body = Buffer.concat(await req.toArray()).toString();
  bodies.push(`${req.url} ${req.headers.authorization} ${body}`);
  for (const { scopeSpans } of JSON.parse(body).resourceSpans)
    for (const scope of scopeSpans) spans.push(...scope.spans);
  unanswered.add(res);
  res.once('close', () => unanswered.delete(res));
  if (!isSilent) res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});

const { env, url, podcast, lucia } = await cast();
const token = 't'.repeat(43);
let opened: OpenRuntime;
let web: Web;
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const settings = parseEnv({
    DATABASE_URL: url,
    DATA_DIR: env.dataDir,
    SMTP_URL: 'smtp://127.0.0.1:9',
    TRUST_PROXY: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    OTEL_SERVICE_NAME: 'altavoz-test',
  });
  opened = await openRuntime(settings, createLog('silent'), { runsJobs: true });
  web = await startWeb({ ...settings, port: 0, host: '127.0.0.1' }, opened, {
    development: false,
    build: pagesBuild(),
  });
  await startWorker(opened.jobsRuntime);
});
afterAll(async () => {
  collector.closeAllConnections();
  collector.close();
});

function ask(path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const host = 'altavoz.localhost:3000';
    const request = http.get({ port: web.port, host: '127.0.0.1', path, headers: { host, ...headers } }, (res) => {
      res.resume().on('end', () => resolve(res.statusCode ?? 0));
    });
    request.on('error', reject);
  });
}
const attributes = (span: Span) =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const named = async (name: string) => {
  await expect.poll(() => spans.some((span) => span.name === name)).toBe(true);
  return spans.find((span) => span.name === name)!;
};

test('a page, a feed and an unknown address have a span with the route, and the statements below it', async () => {
  const parent = '0af7651916cd43dd8448eb211c80319c';
  const host = `staging-${lucia.domain}.altavoz.localhost:3000`;
  const traceparent = `00-${parent}-b7ad6b7169203331-01`;
  expect(await ask(`/p/${podcast.slug}?utm_source=secret`, { host, traceparent })).toBe(200);
  await ask(`/feed/private/${token}`);
  await ask('/a/b/c/d?token=secret');

  const page = await named('GET /p/:slug');
  expect(page.traceId).toBe(parent);
  expect(attributes(page)).toMatchObject({ 'http.route': '/p/:slug', 'http.response.status_code': 200 });
  const feed = await named('GET /feed/private/:token');
  expect(attributes(feed)).toMatchObject({ 'http.response.status_code': 404 });
  expect((await named('GET unmatched')).traceId).not.toBe(parent);
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === page.spanId);
  expect(statements.map(({ name }) => name)).toContain('select');
});

test('a job has one, with what it does below it', async () => {
  const ctx = systemCtx(opened.runtime, 'test');
  await transact(ctx, (tx) => tx.jobs.enqueue(importSubscribers, { importId: 999_999, step: 0 }));

  const job = await named(importSubscribers.name);

  expect(spans.filter(({ parentSpanId }) => parentSpanId === job.spanId).map(({ name }) => name)).toEqual(['select']);
});

test('no value, query, token or address of a person leaves the process, and the collector is told who sends', () => {
  expect(bodies[0]).toMatch(/^\/v1\/traces Bearer abc .*altavoz-test/);
  expect(bodies.join()).not.toMatch(/secret|ttttt|lucia@|127\.0\.0\.1/);
});

test('a collector that never answers neither slows a request nor keeps the process', async () => {
  isSilent = true;
  await ask('/en/login');
  await expect.poll(() => unanswered.size).toBe(1);
  const [hanging] = unanswered;

  expect(await ask('/en/login')).toBe(200);

  expect(hanging?.closed).toBe(false);
  await web.close();
  await opened.close();
});
