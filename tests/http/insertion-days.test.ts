import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { audioPath, insertionDoor } from '../support/insertion-door';

const stage = await insertionDoor();
const { runtime, clock, make, play, newListener, changed, counted, sponsored } = stage;
await runtime.db.execute(sql`select make_listening_partitions('2026-03-01', 10)`);

/** The first and the last millisecond of a day. */
const DAYS = [
  ['Europe/Madrid', '2026-03-29', 23, '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  ['Europe/Madrid', '2026-10-25', 25, '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  // clocks are set back at the end of the day: its last hour comes twice
  ['America/Santiago', '2026-04-04', 25, '2026-04-04T03:00:00.000Z', '2026-04-05T03:59:59.999Z'],
  // the day begins at one o'clock
  ['America/Santiago', '2026-09-06', 23, '2026-09-06T04:00:00.000Z', '2026-09-07T02:59:59.999Z'],
  ['Pacific/Apia', '2026-07-01', 24, '2026-06-30T11:00:00.000Z', '2026-07-01T10:59:59.999Z'],
  ['Asia/Kathmandu', '2026-07-01', 24, '2026-06-30T18:15:00.000Z', '2026-07-01T18:14:59.999Z'],
] as const;

test.each(DAYS)('in %s, a campaign of %s (%i hours) plays from its first to its last moment', async (...given) => {
  const [timeZone, day, hours, first, last] = given;
  const by = await make.creator({ timeZone });
  const { episode, campaign } = await sponsored({ firstDay: day, lastDay: day }, { by });
  const moments = [Date.parse(first) - 1, Date.parse(first), Date.parse(last), Date.parse(last) + 1];

  const heard: boolean[] = [];
  for (const at of moments) {
    clock.now = new Date(at);
    changed();
    const { body } = await play(audioPath(episode), { address: newListener() });
    heard.push(body.length > episode.body.length);
    await counted();
  }

  expect(heard).toEqual([false, true, true, false]);
  expect((Date.parse(last) + 1 - Date.parse(first)) / 3_600_000).toBe(hours);
  expect(await stage.impressionsOf(campaign.id)).toMatchObject([{ day, impressions: 2 }]);
});

test('a listener who begins in the last minute of a campaign keeps its clip over the following day', async () => {
  const by = await make.creator({ timeZone: 'Europe/Madrid' });
  const { episode, campaign } = await sponsored({ firstDay: '2026-10-25', lastDay: '2026-10-25' }, { by });
  const address = newListener();
  const at = async (time: string, range: string) => {
    clock.now = new Date(time);
    changed();
    const answer = await play(audioPath(episode), { address, headers: { range } });
    await counted();
    return answer;
  };

  const first = await at('2026-10-25T22:59:30Z', 'bytes=0-99999');
  const second = await at('2026-10-26T22:59:00Z', 'bytes=100000-');

  expect(second.path).toBe(first.path);
  expect(first.body.length + second.body.length).toBeGreaterThan(episode.body.length);
  // it counts on the day on which it was complete
  expect(await stage.impressionsOf(campaign.id)).toMatchObject([{ day: '2026-10-26', impressions: 1 }]);
});
