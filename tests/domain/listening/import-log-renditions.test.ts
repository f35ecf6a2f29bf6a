import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { downloads } from '~/db/schema/listening';
import { logImports, logKeys } from '~/db/schema/log-imports';
import { impressionDays, renditionDownloads } from '~/db/schema/renditions';
import { releaseReservations } from '~/server/domain/insertions/release-reservations';
import { ensureRendition } from '~/server/domain/insertions/renditions';
import { importLogs } from '~/server/domain/listening/import-log';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { PHONE } from '../../support/deliveries';
import { insertionMakers } from '../../support/insertions';

const { runtime, make, visitorCtx } = await cast({ empty: true });
const { db } = runtime;
const { soundEpisode, clip, campaign } = insertionMakers(runtime, make);
const creator = await make.creator();
const NOW = new Date('2026-11-26T12:00:00Z');
const operator = { name: 'olga' };
const FIELDS = `#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query sc-range-start sc-range-end`;

beforeEach(async () => {
  await db.delete(logImports);
  await db.delete(impressionDays);
});

/** An episode that is shorter than the minute that counts, with a clip of the same length before it. */
async function staged(over: Parameters<typeof campaign>[2] = {}) {
  const show = await make.product(creator);
  const { id, creatorId, audioKey, audioSha256, body } = await soundEpisode(show, { seconds: 45 });
  const spot = await clip(creator, { seconds: 45 });
  const row = await campaign(show, [spot], over);
  const source = { episodeId: id, creatorId, audioKey: audioKey!, audioSha256: audioSha256!, servedHead: null };
  const clips = [{ place: 'pre' as const, versionId: spot.versionId, campaignId: row.id }];
  const made = await ensureRendition(runtime, source, { clips, omitted: [] });
  return { id, body, campaign: row, rendition: made!, span: made!.clips[0]! };
}

type Sent = { status?: number; from?: number; to: number; day?: string; address?: string };
const lineOf = (path: string, { status = 200, from, to, day = '2026-11-03', address = PHONE.address }: Sent) =>
  [
    ...[day, '10:00:00', 'X', to - (from ?? 0), address, 'GET', 'h', path, status, '-', 'AntennaPod/3.1.2', '-'],
    ...(from === undefined ? ['-', '-'] : [from, to - 1]),
  ].join('\t');
const fileOf = (lines: string[]) => ({
  name: 'log',
  async *open() {
    yield Buffer.from(`${[FIELDS, ...lines].join('\n')}\n`);
  },
});
const run = (...files: string[][]) =>
  importLogs(visitorCtx({ now: NOW }), { operator, format: 'cloudfront', files: files.map(fileOf) });
const impressions = () => db.select().from(impressionDays).orderBy(impressionDays.campaignId);

test('a rendition in a log counts by its own length, and its clip once', async () => {
  const { id, campaign: row, rendition } = await staged();
  const path = `/audio/${id}/${rendition.id}/a.mp3`;

  await run([lineOf(path, { to: rendition.bytes }), lineOf(path, { to: rendition.bytes })]);

  const [download] = await db.select().from(downloads).where(eq(downloads.episodeId, id));
  expect(download!.countedAt).not.toBeNull();
  // one minute of 90 seconds; of the episode's own file, it would be all of it
  expect(download!.neededBytes / rendition.bytes).toBeCloseTo(60 / 90, 1);
  expect(await impressions()).toMatchObject([
    { campaignId: row.id, day: '2026-11-03', episodeId: id, app: 'antennapod', impressions: 1 },
  ]);
});

test('a clip counts only if the log says that all its bytes were sent, in one part or several', async () => {
  const { id, rendition, span } = await staged();
  const path = `/audio/${id}/${rendition.id}/a.mp3`;
  const inside = span.to - 1000;
  const [short, parts, blind] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];

  await run([
    lineOf(path, { to: inside, from: 0, status: 206, address: short }),
    lineOf(path, { to: rendition.bytes, from: span.to, status: 206, address: short }),
    lineOf(path, { to: rendition.bytes - 1, status: 206, address: blind }),
  ]);
  expect(await impressions()).toEqual([]);

  await run([
    lineOf(path, { to: inside, from: 0, status: 206, address: parts }),
    lineOf(path, { to: rendition.bytes, from: inside, status: 206, address: parts }),
  ]);
  expect(await impressions()).toMatchObject([{ impressions: 1 }]);
});

test('a clip counts once, although rows of past downloads are swept between the files of an import', async () => {
  const { id, rendition } = await staged();
  const whole = lineOf(`/audio/${id}/${rendition.id}/a.mp3`, { to: rendition.bytes });
  const sweeping = {
    name: 'second',
    async *open() {
      await releaseReservations({ ...systemCtx(runtime, 'insertions.release-reservations'), now: () => NOW });
      yield Buffer.from(`${[FIELDS, '# second', whole].join('\n')}\n`);
    },
  };

  await importLogs(visitorCtx({ now: NOW }), { operator, format: 'cloudfront', files: [fileOf([whole]), sweeping] });

  expect(await impressions()).toMatchObject([{ impressions: 1 }]);
  expect(await db.$count(logKeys)).toBe(0);
  await releaseReservations({ ...systemCtx(runtime, 'insertions.release-reservations'), now: () => NOW });
  expect(await db.$count(renditionDownloads, eq(renditionDownloads.episodeId, id))).toBe(0);
});

test('a cap holds for logs, too', async () => {
  const { id, rendition, campaign: row } = await staged({ cap: 2 });
  const path = `/audio/${id}/${rendition.id}/a.mp3`;

  await run([1, 2, 3].map((i) => lineOf(path, { to: rendition.bytes, address: `203.0.113.${i}` })));

  expect(await impressions()).toMatchObject([{ campaignId: row.id, impressions: 2 }]);
});

test('an unknown rendition is taken for the file of the episode', async () => {
  const { id, body } = await staged();

  const [imported] = await run([lineOf(`/audio/${id}/${'0'.repeat(32)}/a.mp3`, { to: body.length })]);

  expect(imported!.counts).toMatchObject({ delivered: 1 });
  expect(await impressions()).toEqual([]);
});
