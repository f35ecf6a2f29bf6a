import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { webhookDeliveries } from '~/db/schema/webhooks';
import { feedFetcher } from '~/server/adapters/feed-fetcher/fetcher';
import { deliverWebhooks } from '~/server/domain/webhooks/deliver-webhooks';
import { systemCtx } from '~/server/runtime/runtime';
import { makers } from '~/tests/support/make';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { prepareBenchmark } from './prepare-benchmark';
import { type BenchmarkRow, judge } from './table';

const DELIVERIES = Number(process.env.DELIVERIES ?? 10_000);
const SLOW = 20;
const GOAL_PER_MINUTE = 10_000;
const LOOK_MS = 100;

/** Deliveries of one worker to a program on this machine, while another endpoint takes half a minute for each answer. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const { runtime, close } = await openTestRuntime(prepared.databaseUrl, prepared.dataDir);
  const sink = await startSink();
  const fetcher = feedFetcher({ contact: 'https://altavoz.example/contact', allowLoopback: true });
  Object.assign(runtime.ports, { fetcher });
  const owner = await makers(runtime, { passwordHash: '', cover: null }).creator();
  const add = (path: string) =>
    owner.api.webhooks.create({ url: `${sink.origin}${path}`, events: ['contact.created'] });
  const [slow, quick] = [await add('/slow'), await add('/quick')];
  const fill = (id: string, count: number) =>
    runtime.db.execute(sql`
      with events as (
        insert into webhook_events (creator_id, type, data)
        select ${owner.creatorId}::bigint, 'contact.created', jsonb_build_object('id', n)
        from generate_series(1, ${count}::integer) n returning id, data
      )
      insert into webhook_deliveries (endpoint_id, event_id, object)
      select ${id}::uuid, id, 'contact:' || (data ->> 'id') from events order by id`);
  await fill(slow.id, SLOW);
  await fill(quick.id, DELIVERIES);
  await runtime.db.execute(sql`analyze webhook_deliveries`);

  const began = performance.now();
  const delivering = deliverWebhooks(systemCtx(runtime, 'webhooks.deliver'));
  const ofQuick = and(eq(webhookDeliveries.endpointId, quick.id), eq(webhookDeliveries.state, 'delivered'));
  while ((await runtime.db.$count(webhookDeliveries, ofQuick)) < DELIVERIES) await sleep(LOOK_MS);
  const seconds = (performance.now() - began) / 1000;

  sink.stop();
  await delivering;
  await fetcher.close();
  await close();
  await prepared.close();
  const perMinute = (DELIVERIES / seconds) * 60;
  return [
    {
      label: `${DELIVERIES.toLocaleString('en')} deliveries, beside a slow endpoint`,
      figure: `${Math.round(perMinute).toLocaleString('en')}/min`,
      details: `${seconds.toFixed(1)} s`,
      goal: `≥ ${GOAL_PER_MINUTE.toLocaleString('en')}/min`,
      ...judge(perMinute / GOAL_PER_MINUTE, { holds: false }),
    },
  ];
}

async function startSink() {
  const child = spawn(process.execPath, ['--import', 'tsx', 'benchmarks/webhook-sink.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { origin: `http://127.0.0.1:${String(port).trim()}`, stop: () => child.kill() };
}
