import { gzipSync } from 'node:zlib';
import { and, eq, sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { dailyListeners, downloads, machineDays } from '~/db/schema/listening';
import { logImports, logKeys } from '~/db/schema/log-imports';
import { operatorActions } from '~/db/schema/operators';
import { DAYS, earlier, later } from '~/server/base/time';
import { importLogs, type LogFile } from '~/server/domain/listening/import-log';
import { maintainPartitions } from '~/server/domain/listening/partitions';
import { LOG_LIMITS } from '~/server/limits/listening';
import { cast } from '../../support/cast';
import { downloadsOf, PHONE, sumsOf } from '../../support/deliveries';
import '../../support/matchers';

const { runtime, make, visitorCtx } = await cast();
const { db } = runtime;
const NOW = new Date('2026-11-26T12:00:00Z');
const operator = { name: 'olga' };
afterEach(() => db.delete(logImports));

const BYTES = 1_921_000;
async function newEpisodes(count = 1) {
  const product = await make.product(await make.creator());
  const rows = await make.episodes(product, count);
  await db.execute(sql`
    update episodes set audio_key = coalesce(audio_key, 'audio/x'), audio_bytes = ${BYTES}, head_bytes = 1000, duration_ms = 120000
    where product_id = ${product.id}`);
  return rows;
}
const newEpisode = async () => (await newEpisodes())[0]!;

type Over = { time?: string; address?: string; agent?: string; status?: number; bytes?: number; method?: string };
/** A combined line; by default, a whole episode for an app on November 3. */
const line = (id: number, over: Over = {}) => {
  const { time = '03/Nov/2026:10:00:00', address = PHONE.address, agent = PHONE.userAgent } = over;
  const { status = 200, bytes = BYTES, method = 'GET' } = over;
  return `${address} - - [${time} +0000] "${method} /audio/${id}/one.mp3 HTTP/1.1" ${status} ${bytes} "-" "${agent}"`;
};
const fileOf = (lines: string[] | Buffer, name = 'access.log'): LogFile => ({
  name,
  async *open() {
    yield Buffer.isBuffer(lines) ? lines : Buffer.from(`${lines.join('\n')}\n`);
  },
});
const run = (files: LogFile[], format: 'combined' | 'cloudfront' | 'fastly' = 'combined', now = NOW) =>
  importLogs(visitorCtx({ now }), { operator, format, files });

test('a line is counted at its own time, with its facts, like a request that reached the server', async () => {
  const { id, productId } = await newEpisode();

  const [imported] = await run([fileOf([line(id), line(id, { time: '04/Nov/2026:09:59:00' })])]);

  expect(imported).toMatchObject({ isNew: true, lines: 2, counts: { delivered: 2 }, bad: [] });
  expect(await downloadsOf(db, id)).toEqual({ total: 1, days: 1, rows: 1 });
  const { days } = await sumsOf(db, productId);
  expect(days).toMatchObject([
    { day: '2026-11-03', downloads: 1, listeners: 1, dimensions: { app: { antennapod: 1 } } },
  ]);
});

test('machines, probes, heads, other addresses and unknown episodes are no downloads', async () => {
  const { id, productId } = await newEpisode();

  const [imported] = await run([
    fileOf([
      line(id, { agent: 'Googlebot/2.1' }),
      line(id, { agent: '' }),
      line(id, { method: 'HEAD' }),
      line(id, { status: 304, bytes: 0 }),
      line(id, { status: 206, bytes: 2 }),
      line(999_999_999),
      line(id).replace('/audio/', '/media/'),
      'nonsense',
      line(id, { time: '03/Nov/2027:10:00:00' }),
      line(id, { time: '03/Nov/0001:10:00:00' }),
      line(id, { time: '03/Nov/9999:10:00:00' }),
      'x'.repeat(LOG_LIMITS.line + 1),
    ]),
  ]);

  expect(imported).toMatchObject({
    counts: { machines: 2, ignored: 4, unknown: 1, unreadable: 1, future: 2, too_old: 1, too_long: 1 },
    bad: [8, 9, 10, 11, 12],
  });
  expect(await downloadsOf(db, id)).toEqual({ total: 0, days: 0, rows: 0 });
  const [machines] = await db.select().from(machineDays).where(eq(machineDays.productId, productId));
  expect(machines).toMatchObject({ day: '2026-11-03', requests: 2, reasons: { bot: 1, malformed: 1 } });
});

test('parts add up where the log has ranges, and never where it has none', async () => {
  const [ranged, rangeless] = await newEpisodes(2);
  const parts = [0, 1, 2].map((i) => ({ from: i * 400_000, to: (i + 1) * 400_000 }));
  const cells = ({ from, to }: { from: number; to: number }) =>
    `2026-11-03 10:00:00 X ${to - from + 400} 203.0.113.9 GET h /audio/${ranged!.id}/one.mp3 206 - AntennaPod/3.1.2 - ${from} ${to - 1}`;
  const fields = `#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query sc-range-start sc-range-end`;

  await run([fileOf([fields, ...parts.map((part) => cells(part).replaceAll(' ', '\t'))])], 'cloudfront');
  await run([fileOf(parts.map(() => line(rangeless!.id, { status: 206, bytes: 400_000 })))]);

  expect(await downloadsOf(db, ranged!.id)).toMatchObject({ total: 1 });
  expect(await downloadsOf(db, rangeless!.id)).toMatchObject({ total: 0 });
  await run([fileOf([line(rangeless!.id, { status: 206, bytes: 961_000 })])]);
  expect(await downloadsOf(db, rangeless!.id)).toMatchObject({ total: 1 });
});

test('files of one import share their listeners, and afterwards no key of past days is left', async () => {
  const { id } = await newEpisode();
  const hours = ['23:50:00', '23:55:00'].map((time, i) =>
    fileOf([line(id, { time: `03/Nov/2026:${time}` })], `${i}.gz`),
  );
  const midnight = fileOf([line(id, { time: '04/Nov/2026:00:10:00' })]);

  await run([...hours, midnight]);

  expect(await downloadsOf(db, id)).toMatchObject({ total: 1 });
  expect(await db.$count(logKeys)).toBe(0);
  const rows = await db.select().from(downloads).where(eq(downloads.episodeId, id)).orderBy(downloads.day);
  expect(JSON.stringify(rows)).not.toContain(PHONE.address);
});

test('a listener who was counted live today is the same one in the log', async () => {
  const { id } = await newEpisode();
  const { recordDelivery } = await import('~/server/domain/listening/downloads');
  const episode = { ...(await newFacts(id)), bytes: BYTES, headBytes: 1000, durationMs: 120_000 };
  const delivered = { from: 0, to: BYTES };
  await recordDelivery(visitorCtx({ now: NOW }), {
    ...{ episode, method: 'GET', status: 200, requested: null, delivered, client: PHONE, source: 'feed' },
  });

  await run([fileOf([line(id, { time: '26/Nov/2026:11:00:00' })])]);

  expect(await downloadsOf(db, id)).toMatchObject({ total: 1, rows: 1 });
});

async function newFacts(id: number) {
  const [row] = await db.execute<{ creatorId: number; productId: number }>(sql`
    select creator_id::int as "creatorId", product_id::int as "productId" from episodes where id = ${id}`);
  return { id, ...row! };
}

test('a file is counted once, also compressed, and by two processes at a time', async () => {
  const { id } = await newEpisode();
  const lines = Array.from({ length: 50 }, (_, i) => line(id, { address: `203.0.113.${i}` }));
  const plain = fileOf(lines);

  const both = await Promise.allSettled([run([plain]), run([plain])]);
  const again = await run([fileOf(gzipSync(`${lines.join('\n')}\n`), 'access.log.gz')]);

  expect(both.map(({ status }) => status)).toContain('fulfilled');
  expect(again).toMatchObject([{ isNew: false, lines: 50, counts: { delivered: 50 } }]);
  expect(await downloadsOf(db, id)).toEqual({ total: 50, days: 50, rows: 50 });
});

test('a stopped import continues after the lines that it has counted', async () => {
  const { id } = await newEpisode();
  const count = 2 * LOG_LIMITS.batch + 10;
  const lines = Array.from({ length: count }, (_, i) => line(id, { address: `10.${i % 7}.${i >> 8}.${i & 255}` }));
  const whole = fileOf(lines);
  let opened = 0;
  const breaking: LogFile = {
    name: 'access.log',
    async *open() {
      opened += 1;
      // the second time, the disk fails in the middle
      const text = Buffer.from(`${lines.join('\n')}\n`);
      yield text.subarray(0, opened === 1 ? text.length : Math.floor(text.length * 0.7));
      if (opened > 1) throw new Error('disk');
    },
  };

  await expect(run([breaking])).rejects.toThrow('disk');
  expect(await downloadsOf(db, id)).toMatchObject({ total: LOG_LIMITS.batch });
  expect(await db.$count(logKeys)).toBe(1);
  const [imported] = await run([whole]);

  expect(imported).toMatchObject({ lines: count, counts: { delivered: count } });
  expect(await downloadsOf(db, id)).toMatchObject({ total: count, rows: count });
  expect(await db.$count(logKeys)).toBe(0);
});

test('a damaged file counts nothing', async () => {
  const { id } = await newEpisode();
  const cut = gzipSync([line(id), line(id)].join('\n')).subarray(0, -9);

  await expect(run([fileOf(cut)])).toFailWith('log_import.cut_off');

  expect(await db.$count(logImports)).toBe(0);
});

test('the operator’s import is on record', async () => {
  const { id } = await newEpisode();
  await run([fileOf([line(id)])]);

  const where = and(eq(operatorActions.action, 'statistics.log_imported'), eq(operatorActions.target, 'combined'));
  const rows = await db.select().from(operatorActions).where(where).orderBy(operatorActions.id);
  expect(rows.at(-1)).toMatchObject({ operator: 'olga', details: { files: 1, lines: 1 } });
});

test('listeners of past days and keys of abandoned imports are deleted, and those of a running import are kept', async () => {
  const { productId } = await newEpisode();
  const listener = (day: string) => ({ day, productId, listenerKey: Buffer.from(day) });
  const key = (day: string, createdAt: Date) => ({ day, key: Buffer.alloc(32), createdAt });
  await db.insert(dailyListeners).values(['2026-11-03', '2026-11-04', '2026-11-25', '2026-11-26'].map(listener));
  await db.insert(logKeys).values([key('2026-11-03', NOW), key('2026-11-04', earlier(NOW, DAYS(2)))]);

  await maintainPartitions(visitorCtx({ now: NOW }));

  const days = () =>
    db
      .select({ day: dailyListeners.day })
      .from(dailyListeners)
      .where(eq(dailyListeners.productId, productId))
      .orderBy(dailyListeners.day);
  expect((await days()).map(({ day }) => day)).toEqual(['2026-11-03', '2026-11-25', '2026-11-26']);
  await maintainPartitions(visitorCtx({ now: later(NOW, DAYS(2)) }));
  expect(await days()).toEqual([]);
  expect(await db.$count(logKeys)).toBe(0);
});
