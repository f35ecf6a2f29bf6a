import { and, eq, sql } from 'drizzle-orm';
import { transcriptionRuns } from '~/db/schema/transcription';
import { monthBounds, utcDay, utcMonth } from '../../base/time';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findEpisodeRecord } from '../episodes/queries';
import { requireFeature } from '../plans/features';
import { currentPlan } from '../plans/queries';
import { minutesFor, minutesLeft, soundToTranscribe } from './rules';
import type { FindTranscription } from './schema';

/** Minutes of a UTC month. `renewsAt`: when the next month begins. */
export type Credits = { of: number; left: number; renewsAt: Date };

/** A creator's minutes in the current UTC month. Runs that have not ended count, too: their minutes are reserved. */
export async function readCredits(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number): Promise<Credits> {
  const plan = await currentPlan(ctx, creatorId);
  const month = utcMonth(ctx.now());
  const isThen = and(eq(transcriptionRuns.creatorId, creatorId), eq(transcriptionRuns.month, `${month}-01`));
  const [row] = await ctx.db
    .select({ used: sql<number>`coalesce(sum(${transcriptionRuns.minutes}), 0)::float8` })
    .from(transcriptionRuns)
    .where(isThen);
  const [, renewsAt] = monthBounds(month);
  return { of: plan.limits.transcriptionMinutes, left: minutesLeft(plan, row?.used ?? 0), renewsAt };
}

/** The first day of the month in which minutes are used now. */
export const creditMonth = (now: Date): string => `${utcDay(now).slice(0, 7)}-01`;

export type CheckedCredits = { availableMinutes: number; neededMinutes: number; enough: boolean };

/**
 * Whether the month has minutes for an episode.
 * @throws episode.not_found, plan.transcription_required, transcription.not_published, transcription.too_long
 */
export async function checkCredits(ctx: Ctx, { id, kind }: FindTranscription): Promise<CheckedCredits> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.read', found.episode);
  await requireFeature(ctx, episode.creatorId, 'transcription');
  const neededMinutes = minutesFor(soundToTranscribe(episode).durationMs);
  const { left: availableMinutes } = await readCredits(ctx, episode.creatorId);
  return { availableMinutes, neededMinutes, enough: neededMinutes <= availableMinutes };
}
