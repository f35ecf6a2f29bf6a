import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { campaignClips, campaignEpisodes, clips, clipVersions, insertionCampaigns } from '~/db/schema/insertions';
import type { ClipState } from '~/db/values/insertions';
import { bitratesOf } from '../../audio/frame-header';
import type { Ctx } from '../../runtime/ctx';
import { whereMeasured } from './prepare-clips';

/** `ready` of `total` conversions are done. */
export type ClipsProgress = { state: ClipState; ready: number; total: number };

/**
 * How far the conversions are that each of the campaigns needs for its episodes, by campaign: failed if one has failed,
 * ready if all are, also if none is needed yet, or for a draft or a campaign that was ended. Postgres counts them: a hundred campaigns in a catalogue of variable bit
 * rates need a hundred thousand.
 */
export async function clipsProgressOf(
  { db }: Pick<Ctx, 'db'>,
  campaignIds: readonly number[],
): Promise<Map<number, ClipsProgress>> {
  if (campaignIds.length === 0) return new Map();
  const { id, productId, selection, selectionDay, isComplete, endedAt } = insertionCampaigns;
  const campaigns = db
    .select({ id, productId, selection, selectionDay })
    .from(insertionCampaigns)
    .where(and(inArray(id, [...campaignIds]), isComplete, isNull(endedAt)));
  const rows = await db.execute<{ id: string; total: number; ready: number; failed: number }>(sql`
    with campaign as (${campaigns}), measured as materialized (${MEASURED}), format as materialized (
      select product_id, encoding, loudness, (min(release_at) at time zone time_zone)::date as first_day,
        (max(release_at) at time zone time_zone)::date as last_day, bool_or(release_at is null) as is_open
      from measured group by product_id, encoding, loudness, time_zone
    ), needed as (
      select campaign.id, encoding, loudness from campaign join format using (product_id)
      where case selection when 'all' then true when 'before' then first_day < selection_day
        when 'new' then is_open or selection_day is null or last_day >= selection_day else false end
      union all
      select distinct campaign.id, encoding, loudness from campaign
      join ${campaignEpisodes} on ${campaignEpisodes.campaignId} = campaign.id
      join measured on measured.id = ${campaignEpisodes.episodeId}
      where campaign.selection = 'chosen'
    )
    select needed.id, count(*)::int as total, count(*) filter (where ${eq(clipVersions.status, 'ready')})::int as ready,
      count(*) filter (where ${eq(clipVersions.status, 'failed')})::int as failed
    from needed
    join ${campaignClips} on ${campaignClips.campaignId} = needed.id
    join ${clips} on ${clips.id} = ${campaignClips.clipId} and ${eq(clips.status, 'ready')}
    left join ${clipVersions} on ${clipVersions.clipId} = ${clips.id}
      and ${clipVersions.encoding} = needed.encoding and ${clipVersions.loudness} = needed.loudness
    group by needed.id`);
  const counted = new Map(rows.map((row) => [Number(row.id), row]));
  return new Map(campaignIds.map((campaignId) => [campaignId, progressOf(counted.get(campaignId))]));
}

function progressOf({ total, ready, failed } = { total: 0, ready: 0, failed: 0 }): ClipsProgress {
  return { state: failed > 0 ? 'failed' : ready === total ? 'ready' : 'in_progress', ready, total };
}

/** `encodingOf` (rules.ts) of an episode. */
const ENCODING = sql<string>`case when ${episodes.sampleRate} >= 32000 then ${encodingWith(1)}
  when ${episodes.sampleRate} >= 16000 then ${encodingWith(2)} else ${encodingWith(2.5)} end`;

/** Of two equally near bit rates, the lower one. */
function encodingWith(version: 1 | 2 | 2.5): SQL {
  const rates = bitratesOf(version).map((kbps) => kbps * 1000);
  const bounds = rates.slice(1).map((rate, i) => (rate + rates[i]!) / 2 + 1);
  const nearest = sql.raw(`(array[${rates}])[1 + width_bucket("episodes"."bitrate", array[${bounds}])]`);
  return sql`concat_ws('/', ${sql.raw(`'${version}'`)}, ${episodes.sampleRate}, ${episodes.channels}, ${nearest})`;
}

/** `loudnessStep` (rules.ts) of an episode. */
const LOUDNESS = sql`coalesce(floor(${episodes.loudnessTenths} / 10.0 + 0.5), 0)::int`;

/** The episodes of the shows of the campaigns that have a format. */
const MEASURED = sql`
  select ${episodes.id}, ${episodes.productId}, ${ENCODING} as encoding, ${LOUDNESS} as loudness, ${episodes.releaseAt},
    ${creators.timeZone}
  from ${episodes} join ${creators} on ${creators.id} = ${episodes.creatorId}
  where ${episodes.productId} in (select product_id from campaign) and ${and(
    whereMeasured(),
    isNotNull(episodes.sampleRate),
    isNotNull(episodes.channels),
    isNotNull(episodes.bitrate),
  )}`;
