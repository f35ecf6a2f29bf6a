import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { agentCommands } from '~/server/admin/agent-commands';
import { UsageError } from '~/server/admin/command';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';

const { runtime, make } = await cast();
const { db } = runtime;
const admin = { ctx: systemCtx(runtime, 'operator'), env: {} as never, operator: { name: 'olga' } };
const TODAY = '2026-03-02';

/** The facts that a command prints, by name. */
async function printed(name: 'show' | 'audit', args: string[] = [], options: Record<string, string> = {}) {
  const lines = await agentCommands[name]!.run(admin, args, options);
  return Object.fromEntries(lines.map(({ what, value }) => [String(what), value]));
}

test('a user agent is printed with what statistics make of it', async () => {
  expect(await printed('show', ['Overcast/3.0 (+http://overcast.fm/; iOS podcast app)'])).toEqual({
    kind: 'app',
    app: 'Overcast (overcast)',
    device: 'phone',
    'operating system': 'iOS',
    counts: 'yes',
    table: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect(await printed('show', ['curl/8.5.0'])).toMatchObject({ kind: 'bot', app: 'curl (curl)', counts: 'bot' });
});

test('the referrer and the address of a request are judged with its user agent', async () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';

  expect(
    await printed('show', [agent], { referrer: 'https://lm.facebook.com/x', address: '80.58.61.250' }),
  ).toMatchObject({ referrer: 'Facebook (facebook.com)', network: null, country: 'ES', counts: 'yes' });
  expect(await printed('show', [agent], { referrer: 'http://semalt.com/' })).toMatchObject({ counts: 'referrer' });
  await expect(printed('show', ['Overcast', '3.0'])).rejects.toThrow(UsageError);
});

test('the audit lists downloads, machines and unknown agents, and days whose rollups are not their raw events', async () => {
  await db.execute(sql`select make_listening_partitions('2026-03-01', 3)`);
  const creator = await make.creator();
  const [right, wrong] = [await make.product(creator), await make.product(creator)];
  const counted = { userAgent: 'Overcast/3.0', app: 'overcast', bytes: 100 };
  await addDownloads(right, [
    counted,
    { ...counted, userAgent: 'Radio Luna/2.0', app: 'unknown' },
    { ...counted, userAgent: 'Radio Luna/2.0', app: 'unknown' },
    { ...counted, userAgent: 'EpisodeHarvester/1.0', app: 'unknown' },
    { ...counted, bytes: 99 },
    { ...counted, isRemoved: true },
    { ...counted, isRemoved: true },
  ]);
  await addDownloads(wrong, [counted]);
  await db.execute(sql`
    insert into listening_days (creator_id, product_id, day, listens, downloads)
    values (${right.creatorId}, ${right.id}, ${TODAY}, 0, 4), (${right.creatorId}, ${wrong.id}, ${TODAY}, 2, 1)`);
  await db.execute(sql`
    insert into machine_days (creator_id, product_id, day, requests, reasons, agents) values
      (${right.creatorId}, ${right.id}, ${TODAY}, 5, '{"bot": 4, "data_center": 1}', '{"Googlebot": 3, "curl": 2}'),
      (${right.creatorId}, ${wrong.id}, ${TODAY}, 2, '{"bot": 2}', '{"curl": 2}'),
      (${right.creatorId}, ${right.id}, '2026-02-23', 9, '{"bot": 9}', '{"curl": 9}')`);

  const facts = await printed('audit');

  expect(facts).toEqual({
    guideline: 'IAB Podcast Measurement 2.3',
    'table of agents': expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    period: '2026-02-24 to 2026-03-02 (UTC)',
    downloads: 5,
    'less than a minute': 1,
    'removed as machines': 2,
    'requests of machines': 7,
    'machines: bot': 6,
    'machines: data_center': 1,
    'machine: curl': 4,
    'machine: Googlebot': 3,
    'unknown apps': '3 (60.0 %)',
    'unknown: Radio Luna/2.0': 2,
    'unknown: EpisodeHarvester/1.0': 1,
    'counted, but too short': 0,
    'counted, but a machine by now: EpisodeHarvester/1.0': 1,
    'days whose rollup was compared': 2,
    'days that differ from the raw events': 1,
    [`differs: show ${wrong.id} on ${TODAY}`]: '2 listens (raw 0), 1 downloads (raw 1)',
  });
});

test('a longer audit has the days before, and no audit is longer than the raw events are kept', async () => {
  expect(await printed('audit', [], { days: '8' })).toMatchObject({ 'requests of machines': 16 });
  for (const days of ['0', '90', 'all']) await expect(printed('audit', [], { days })).rejects.toThrow(UsageError);
});

type Row = { userAgent: string; app: string; bytes: number; isRemoved?: boolean };

/** Raw rows of different listeners, each with its bytes of the hundred that count. */
async function addDownloads(product: Awaited<ReturnType<typeof make.product>>, rows: Row[]): Promise<void> {
  const [episode] = await make.episodes(product, 1);
  for (const [i, { userAgent, app, bytes, isRemoved = false }] of rows.entries()) {
    const isCounted = bytes >= 100 && !isRemoved;
    await db.execute(sql`
      insert into downloads (day, creator_id, product_id, episode_id, listener_key, user_agent, spans, needed_bytes,
        first_at, counted_at, counted_in, app)
      values (${TODAY}, ${product.creatorId}, ${product.id}, ${episode!.id}, ${Buffer.from([i])}, ${userAgent},
        ${`{[0,${bytes})}`}, 100, ${`${TODAY}T10:00Z`}, ${isCounted ? `${TODAY}T10:00Z` : null},
        ${isCounted ? 1 : null}, ${app})`);
  }
}
