import { expect, test } from 'vitest';
import { HOURS, later } from '~/server/base/time';
import { downloadsOf } from '../support/deliveries';
import { audioPath, insertionDoor } from '../support/insertion-door';

const stage = await insertionDoor();
const { runtime, clock, noon, campaign, clip, play, ask, newListener, changed, counted, sponsored } = stage;

/** A request as an app sends it to the address in the feed. */
type Step = {
  range?: string;
  method?: 'HEAD';
  /** Sends the tag of its first answer along. */
  ifRange?: boolean;
  /** The app leaves after so many bytes. */
  reads?: number;
  hoursLater?: number;
  /** Before it, the creator replaces the campaign. */
  changes?: boolean;
};
type Habit = { name: string; agent: string; steps: Step[]; downloads?: number; impressions?: number };

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0';
/** An episode of 90 seconds and a clip of two have 1.47 MB. */
const HABITS: Habit[] = [
  {
    name: 'AVPlayer probes two bytes, then asks for growing ranges, also behind the part that it has',
    agent: 'AppleCoreMedia/1.0.0.21F90 (iPhone; U; CPU OS 17_5_1 like Mac OS X; es_es)',
    steps: [
      { range: '0-1' },
      { range: '0-65535' },
      { range: '1400000-' },
      { range: '65536-786431', changes: true },
      { range: '786432-', hoursLater: 1 },
    ],
  },
  {
    name: 'ExoPlayer reads to the end from wherever the listener seeks to',
    agent: 'Podcast Addict/v5 (Linux;Android 14) ExoPlayerLib/2.19.1',
    steps: [
      { reads: 400_000 },
      { range: '900000-', reads: 100_000, changes: true },
      { range: '350000-', reads: 200_000 },
      { range: '550000-' },
    ],
  },
  {
    name: 'Overcast continues the next day with If-Range',
    agent: 'Overcast/3.0 (+http://overcast.fm/; iOS podcast app)',
    steps: [{ reads: 1_200_000 }, { range: '1200000-', ifRange: true, hoursLater: 30, changes: true }],
  },
  {
    name: 'AntennaPod continues without If-Range',
    agent: 'AntennaPod/3.4.0',
    steps: [{ reads: 600_000 }, { range: '600000-', hoursLater: 20, changes: true }],
  },
  {
    name: 'Chrome asks for everything, and again from where its listener seeks to',
    agent: CHROME,
    steps: [
      { range: '0-', reads: 200_000 },
      { range: '1200000-', ifRange: true, changes: true },
      { range: '200000-', ifRange: true },
    ],
  },
  {
    name: 'Firefox reads the end first',
    agent: FIREFOX,
    steps: [{ range: '0-', reads: 50_000 }, { range: '1450000-', changes: true }, { range: '50000-1450000' }],
  },
  {
    name: 'a podcast app asks for the size first',
    agent: 'Pocket Casts/7.60',
    steps: [{ method: 'HEAD' }, { changes: true }],
  },
  {
    name: 'curl -C - continues a file, and is no listener',
    agent: 'curl/8.5.0',
    steps: [{ reads: 500_000 }, { range: '500000-', changes: true }],
    ...{ downloads: 0, impressions: 0 },
  },
];

test.each(HABITS)('$name', async ({ agent, steps, downloads = 1, impressions = 1 }) => {
  clock.now = noon;
  const { show, episode, campaign: row } = await sponsored({ cap: 10 }, { seconds: 90 });
  const address = newListener();
  const answers: { step: Step; path: string; status: number; body: Buffer; etag: string | undefined }[] = [];

  for (const step of steps) {
    const { range, ifRange, method, reads, hoursLater = 0 } = step;
    clock.now = later(clock.now, HOURS(hoursLater));
    if (step.changes) {
      await stage.pauseCampaign(row.id);
      await campaign(show, [await clip(stage.creator, { seed: 5, seconds: 1 })], { place: 'post' });
      changed();
    }
    const headers = { ...(range && { range: `bytes=${range}` }), ...(ifRange && { 'if-range': answers[0]!.etag! }) };
    const {
      path,
      status,
      body,
      headers: sent,
    } = await play(audioPath(episode), {
      ...{ address, agent, headers, reads, method },
    });
    answers.push({ step, path, status, body, etag: sent.etag });
    await counted();
  }

  const [{ path }] = answers as [(typeof answers)[0]];
  const { body: whole } = await ask(path, { agent: 'curl/8.5.0' });
  expect(path).toMatch(/\/[0-9a-f]{32}\//);
  const wrong = answers.filter(({ step, ...got }) => {
    const [from = 0, to = whole.length - 1] = (step.range ?? '').split('-').map((at) => (at ? Number(at) : undefined));
    const end = Math.min(to + 1, from + (step.reads ?? whole.length));
    const expected = step.method === 'HEAD' ? Buffer.alloc(0) : whole.subarray(from, end);
    return got.path !== path || got.status !== (step.range ? 206 : 200) || !got.body.equals(expected);
  });
  expect(wrong).toEqual([]);
  expect(await downloadsOf(runtime.db, episode.id)).toMatchObject({ total: downloads });
  expect(await stage.campaignRow(row.id)).toMatchObject({ impressions, reserved: 0 });
});
