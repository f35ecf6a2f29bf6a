import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { impressionDays, renditionDownloads } from '~/db/schema/renditions';
import type { RenditionParts, Span } from '~/db/values/listening';
import { earlier, utcDay } from '~/server/base/time';
import { countImpressions } from '~/server/domain/insertions/count-impressions';
import { releaseReservations } from '~/server/domain/insertions/release-reservations';
import { ensureRendition } from '~/server/domain/insertions/renditions';
import { RENDITION_LIMITS } from '~/server/limits/insertions';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { insertionMakers } from '../../support/insertions';

const { runtime, make } = await cast({ empty: true });
const { db } = runtime;
const { soundEpisode, clip, campaign } = insertionMakers(runtime, make);
const creator = await make.creator();
const at = runtime.now();

/** What a listener has got of an episode with a clip before it; the clip has the first thousand bytes. */
async function partsOf(listenerKey: string, spans: Span[]): Promise<RenditionParts> {
  const show = await make.product(creator);
  const { id, creatorId, audioKey, audioSha256 } = await soundEpisode(show, {});
  const spot = await clip(creator);
  const row = await campaign(show, [spot]);
  const source = { episodeId: id, creatorId, audioKey: audioKey!, audioSha256: audioSha256!, servedHead: null };
  const clips = [{ place: 'pre' as const, versionId: spot.versionId, campaignId: row.id }];
  const made = await ensureRendition({ ...runtime, now: runtime.now }, source, { clips, omitted: [] });
  return {
    ...{ day: utcDay(at), at, listenerKey, formerKey: null, spans },
    ...{ episodeId: id, renditionId: made!.id, neededBytes: 2000, country: 'ES', app: 'antennapod' },
    clips: [{ position: 0, campaignId: row.id, from: 0, to: 1000 }],
  };
}

async function spansOf(episodeId: number): Promise<number> {
  const [row] = await db.select().from(renditionDownloads).where(eq(renditionDownloads.episodeId, episodeId));
  return row!.spans.split('),[').length;
}

test('a listener who asks for single bytes has a limited number of ranges, also over several batches', async () => {
  const { spans } = RENDITION_LIMITS;
  const bytes = (from: number) =>
    Array.from({ length: spans }, (_, i) => ({ from: from + 2 * i, to: from + 2 * i + 1 }));
  const parts = await partsOf('a'.repeat(32), bytes(5000));

  await countImpressions(db, [parts, { ...parts, spans: bytes(9000) }]);
  await countImpressions(db, [{ ...parts, spans: bytes(20_000) }]);

  expect(await spansOf(parts.episodeId)).toBe(spans);
  expect(await db.$count(impressionDays)).toBe(0);
});

test('all old downloads are deleted, however many they are', async () => {
  const parts = await partsOf('c'.repeat(32), []);
  const old = earlier(at, 2 * RENDITION_LIMITS.window).toISOString();
  await db.execute(sql`
    insert into rendition_downloads (day, episode_id, listener_key, rendition_id, began_at)
    select ${old}::timestamptz::date, ${parts.episodeId}, decode(lpad(to_hex(n), 32, '0'), 'hex'), ${parts.renditionId}, ${old}::timestamptz
    from generate_series(1, ${RENDITION_LIMITS.swept + 1}::int) n`);

  await releaseReservations(systemCtx(runtime, 'insertions.release-reservations'));

  expect(await db.$count(renditionDownloads, eq(renditionDownloads.episodeId, parts.episodeId))).toBe(0);
});

test('ranges that touch are one, however many requests they came in', async () => {
  const pieces = Array.from({ length: 2 * RENDITION_LIMITS.spans }, (_, i) => ({ from: 3 * i, to: 3 * i + 3 }));
  const parts = await partsOf('b'.repeat(32), pieces);

  await countImpressions(db, [parts]);

  expect(await spansOf(parts.episodeId)).toBe(1);
  expect(await db.select().from(impressionDays).orderBy(impressionDays.day)).toMatchObject([{ impressions: 1 }]);
});
