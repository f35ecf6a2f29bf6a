import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { MACHINE_LIMITS } from '~/server/limits/listening';
import { cast } from '../../support/cast';
import { deliverAt, delivery, downloadsOf, PHONE, sumsOf, twoMinuteEpisode } from '../../support/deliveries';

const { runtime, make, visitorCtx } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2026-02-01', 4)`);
const machine = (userAgent: string) => ({ client: { ...PHONE, userAgent } });

test('machines are no downloads, but their requests are counted apart, with a name each', async () => {
  const episode = await twoMinuteEpisode(make);
  const deliver = (time: string, over: object) => deliverAt(visitorCtx, time, delivery(episode, over));

  await deliver('2026-03-02 10:00', machine('Googlebot/2.1 (+http://www.google.com/bot.html)'));
  await deliver('2026-03-02 11:00', machine('Googlebot/2.1 (+http://www.google.com/bot.html)'));
  await deliver('2026-03-03 00:30', machine('curl/8.5.0'));

  expect(await downloadsOf(db, episode.id)).toEqual({ total: 0, days: 0, rows: 0 });
  expect(await sumsOf(db, episode.productId)).toMatchObject({
    days: [],
    months: [],
    machines: [
      { day: '2026-03-02', requests: 2, reasons: { bot: 2 } },
      { day: '2026-03-03', requests: 1, reasons: { bot: 1 } },
    ],
  });
});

test.each([
  ['HEAD', { method: 'HEAD' }],
  ['304', { status: 304 }],
  ['a probe of two bytes', { status: 206, requested: { from: 0, to: 2 }, delivered: { from: 0, to: 2 } }],
  ['a request that got no audio', { delivered: { from: 0, to: 900 } }],
])('%s of a machine is neither a download nor a request', async (_, over) => {
  const episode = await twoMinuteEpisode(make);

  await deliverAt(visitorCtx, '2026-03-02 10:00', delivery(episode, { ...machine('Googlebot/2.1'), ...over }));

  expect(await sumsOf(db, episode.productId)).toEqual({ days: [], showMonths: [], months: [], machines: [] });
});

test('agents that machines invent are counted together beyond a limit', async () => {
  const episode = await twoMinuteEpisode(make);
  const agents = Array.from({ length: MACHINE_LIMITS.agents + 30 }, (_, i) => `robot-${i} bot/1.0`);

  for (const half of [agents.slice(0, 60), agents.slice(60)])
    await Promise.all(
      half.map((agent) => deliverAt(visitorCtx, '2026-03-02 10:00', delivery(episode, machine(agent)))),
    );

  const [day] = (await sumsOf(db, episode.productId)).machines;
  expect(day).toMatchObject({ requests: agents.length, agents: { other: 30 } });
  expect(Object.keys(day!.agents)).toHaveLength(MACHINE_LIMITS.agents + 1);
});
