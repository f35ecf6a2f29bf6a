import { sql } from 'drizzle-orm';
import { renderFeed } from '~/server/doors/feeds/feeds';
import { openInsertionData } from './insertions-data';
import { compareLoads, type Load, medianRatio } from './load';
import type { PreparedBenchmark } from './prepare-benchmark';
import { startApp } from './servers';
import { type BenchmarkRow, formatRate, judge, median, milliseconds } from './table';

const GOAL = 0.9;
const RENDERINGS = Number(process.env.BENCH_PAIRS ?? 100);

/** A feed of 1,000 episodes that all have campaigns, and one without: from the cache, unchanged, and rendered. */
export async function feeds(prepared: PreparedBenchmark): Promise<BenchmarkRow[]> {
  const data = await openInsertionData(prepared);
  const [sponsored] = prepared.shows;
  await data.insertion.campaign(sponsored!, [], { inWebPlayer: true, inPrivateFeeds: true });
  await stateLengths(prepared, sponsored!.id);
  const rendered = await measureRenderings(data.runtime, [sponsored!.slug, prepared.long.slug]);
  await data.close();
  const app = await startApp(prepared);
  const host = `staging-lucia.${app.host}`;
  const target = async (slug: string, conditional: boolean) => {
    const direct = await fetch(`${app.url}/@lucia/p/${slug}/feed.xml`, { headers: { 'accept-encoding': 'gzip' } });
    const etag = conditional && { 'if-none-match': direct.headers.get('etag') ?? '' };
    return {
      url: `${app.url}/p/${slug}/feed.xml`,
      pid: app.pid,
      headers: { host, 'accept-encoding': 'gzip', ...etag },
    };
  };
  const [cached, plain, unchanged, plainUnchanged] = await compareLoads([
    await target(sponsored!.slug, false),
    await target(prepared.long.slug, false),
    await target(sponsored!.slug, true),
    await target(prepared.long.slug, true),
  ]);
  await app.stop();
  return [
    loadRow('feed of 1,000 episodes with campaigns : without, cached, gzip', cached, plain),
    loadRow('the same, 304', unchanged, plainUnchanged),
    rendered,
  ];
}

/** What `refresh-served` would write, without making 3,000 renditions. */
async function stateLengths({ db }: PreparedBenchmark, productId: number): Promise<void> {
  await db.execute(sql`
    insert into renditions (id, episode_id, audio_key, head_hash, arrangement, arrangement_hash, bytes, head_bytes, duration_ms, created_at)
    select md5(id::text), id, audio_key, '', '{"clips":[],"omitted":[]}', '', audio_bytes + 480000, 0, duration_ms + 30000, now()
    from episodes where product_id = ${productId}`);
  await db.execute(sql`
    insert into served_renditions (episode_id, door, rendition_id, audio_key, bytes, duration_ms)
    select r.episode_id, door, r.id, r.audio_key, r.bytes, r.duration_ms
    from renditions r join episodes e on e.id = r.episode_id,
      unnest(array['public_feed', 'private_feed', 'web_player']) door
    where e.product_id = ${productId}`);
  await db.execute(sql`analyze`);
}

async function measureRenderings(runtime: Parameters<typeof renderFeed>[0], slugs: [string, string]) {
  const times: [number[], number[]] = [[], []];
  for (let round = -10; round < RENDERINGS; round += 1) {
    const turns = [...slugs.entries()];
    if (round % 2) turns.reverse();
    for (const [i, slug] of turns) {
      const startedAt = performance.now();
      await renderFeed(runtime, { domain: 'lucia', slug });
      if (round >= 0) times[i]!.push(performance.now() - startedAt);
    }
  }
  const [ours, other] = times;
  const ratio = median(other.map((time, i) => time / ours[i]!));
  return {
    label: 'the same, rendered',
    figure: ratio.toFixed(3),
    details: `${milliseconds(Math.min(...ours))} and ${milliseconds(Math.min(...other))} at best`,
    goal: `≥ ${GOAL}`,
    ...judge(ratio / GOAL, { holds: true }),
  };
}

function loadRow(label: string, ours: Load, other: Load): BenchmarkRow {
  const ratio = medianRatio(ours, other);
  return {
    label,
    figure: ratio.toFixed(3),
    details: `${formatRate(ours)}, ${ours.failed} failed`,
    goal: `≥ ${GOAL}`,
    ...judge(ratio / GOAL, { failed: ours.failed, holds: true }),
  };
}
