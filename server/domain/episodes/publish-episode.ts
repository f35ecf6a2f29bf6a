import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import type { EpisodeStatus } from '~/db/values/episodes';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { dateFormat, localeOf } from '../../base/formats';
import { languagePrefix } from '../../base/public-paths';
import { authorize } from '../../policy/authorize';
import { isPublished } from '../../policy/visibility';
import { goLive } from '../../queue/jobs/episodes';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { queueAccountEmail } from '../accounts/base/email-links';
import { hasVerifiedEmail } from '../accounts/logins/verify-email';
import { KINDS } from '../products/kinds';
import { recordAbout } from '../team/activity';
import type { ActivityAction } from '../team/kinds';
import { findObstacle } from './balance';
import { dropKeptReleases, keepRelease } from './kept-releases';
import { type EpisodeRow, findEpisodeRecord, lockEpisodeRow } from './queries';
import { assertReleaseAllowed, formerReleaseOf, isLate, mayBecome, statusAt } from './rules';
import type { FindEpisode, ReleaseEpisode, UpdateEpisode } from './schema';
import { type ManageableEpisode, setHold, type Transition, transition } from './transitions';
import { type EpisodeView, toEpisodeView } from './views';

/**
 * Publishes or schedules an episode; also changes the time of a scheduled episode. Without a release date, an episode
 * that was published before keeps its date, so that it returns to its place in feeds; null means now. Until the user's
 * address is verified, the release is kept. @throws account.email_not_verified, episode.publish_time_in_past, episode.public_exceeds_private,
 * episode.already_changed
 */
export async function releaseEpisode(ctx: Ctx, input: ReleaseEpisode): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, input.id, input.kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const now = ctx.now();
  assertReleaseAllowed(input.releaseDate, now);
  const releaseAt = releaseTime(episode, input.releaseDate, now);
  const change = { to: statusAt(releaseAt, now), set: { releaseAt } };
  const isVerified = await hasVerifiedEmail(ctx);
  await transact(ctx, (tx) =>
    isVerified ? changeStatus(tx, episode, change) : keepRelease(tx, episode, input.releaseDate ?? null),
  );
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, episode.id));
}

/** Without a choice, an episode that was published before keeps its time; null means now. */
function releaseTime(episode: EpisodeRow, chosen: Date | null | undefined, now: Date): Date {
  return chosen ?? (chosen === undefined ? formerReleaseOf(episode) : null) ?? now;
}

/** Unpublishes an episode: it leaves the page and the feed until it is published again. */
export async function holdEpisode(ctx: Ctx, { id, kind }: FindEpisode): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  await transact(ctx, (tx) => changeStatus(tx, episode, { to: 'on_hold' }));
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, id));
}

type Release = Pick<UpdateEpisode, 'releaseDate' | 'hold'>;

/**
 * Applies the release of an edited episode. Setting a hold unpublishes the episode; lifting it publishes or schedules
 * the episode. Without checked audio, both only inform the check. @param episode the locked row
 * @returns the episode's status
 */
export async function applyRelease(
  tx: TxCtx,
  episode: ManageableEpisode,
  { releaseDate, hold }: Release,
): Promise<EpisodeStatus> {
  const { status } = episode;
  if (hold === false && !(await hasVerifiedEmail(tx))) {
    await keepRelease(tx, episode, releaseDate ?? null);
    return status;
  }
  if (hold) await dropKeptReleases(tx, [episode.id]);
  if (hold === false && status === 'on_hold') return lift(tx, episode, releaseDate);
  if (hold && mayBecome(status, 'on_hold')) {
    await changeStatus(tx, episode, { to: 'on_hold', set: { releaseAt: releaseDate } });
    return 'on_hold';
  }
  if (hold !== undefined && (status === 'in_progress' || status === 'failed')) await setHold(tx, episode, hold);
  return isMoved(episode, { releaseDate }) ? reschedule(tx, episode, releaseDate ?? null) : status;
}

async function lift(
  tx: TxCtx,
  episode: ManageableEpisode,
  releaseDate: Date | null | undefined,
): Promise<EpisodeStatus> {
  const releaseAt = releaseTime(episode, releaseDate, tx.now());
  const to = statusAt(releaseAt, tx.now());
  await changeStatus(tx, episode, { to, set: { releaseAt } });
  return to;
}

/**
 * Carries out a release that was kept. A time that has passed meanwhile means now; without checked audio, the check
 * publishes the episode. @param episode the locked row
 */
export async function publishNow(tx: TxCtx, episode: ManageableEpisode, releaseAt: Date | null): Promise<void> {
  const releaseDate = releaseAt && releaseAt > tx.now() ? releaseAt : null;
  await applyRelease(tx, episode, { hold: false, releaseDate });
}

export function isMoved({ releaseAt }: EpisodeRow, { releaseDate }: Release): boolean {
  return releaseDate !== undefined && releaseDate?.getTime() !== releaseAt?.getTime();
}

/**
 * Changes the release time while an episode is edited. Only a scheduled or published episode changes its status with
 * it; a published episode stays published unless its new time is in the future. @param episode the locked row
 * @returns the episode's status
 */
async function reschedule(tx: TxCtx, episode: ManageableEpisode, releaseDate: Date | null): Promise<EpisodeStatus> {
  const now = tx.now();
  const isScheduled = episode.status === 'scheduled';
  const isReleased = isScheduled || isPublished(episode);
  const releaseAt = isReleased ? (releaseDate ?? now) : releaseDate;
  const to = isReleased && releaseAt ? statusAt(releaseAt, now) : episode.status;
  // a scheduled episode needs a job for its new time
  if (isScheduled || to !== episode.status) await changeStatus(tx, episode, { to, set: { releaseAt } });
  else await tx.db.update(episodes).set({ releaseAt }).where(eq(episodes.id, episode.id));
  return to;
}

const RECORDED: Partial<Record<EpisodeStatus, ActivityAction>> = {
  published: 'episode.published',
  scheduled: 'episode.scheduled',
  on_hold: 'episode.unpublished',
};

/** A change of the status by a user, as opposed to a job. */
async function changeStatus(tx: TxCtx, episode: ManageableEpisode, change: Transition): Promise<void> {
  await transition(tx, episode, change);
  const action = RECORDED[change.to];
  if (action) await recordAbout(tx, action, episode);
}

/**
 * The job at a scheduled episode's release time. It does nothing if the episode is no longer scheduled, and puts it on
 * hold if it would exceed the public ≤ private rule or the plan by now.
 */
export async function publishDue(ctx: Ctx, { episodeId }: { episodeId: number }): Promise<void> {
  await transact(ctx, async (tx) => {
    const row = await lockEpisodeRow(tx, episodeId);
    if (row?.status !== 'scheduled' || row.releaseAt === null) return;
    const episode = authorize(ctx, 'episode.manage', row);
    if (row.releaseAt > tx.now()) {
      // the release time was moved, or the queue's clock is ahead of ours: the job runs again then
      await tx.jobs.enqueue(goLive, { episodeId }, { at: row.releaseAt });
      return;
    }
    const obstacle = await findObstacle(tx, episode);
    if (!obstacle) {
      if (isLate(row.releaseAt, tx.now())) await reportLateRelease(tx, row);
      return transition(tx, episode, { to: 'published', by: 'clock' });
    }
    const reason = { failureReason: obstacle.code, failureParams: obstacle.params };
    await transition(tx, episode, { to: 'on_hold', by: 'clock', set: reason });
  });
}

/** Tells the owner that the jobs did not run for hours, with the planned and the actual time of publishing. */
async function reportLateRelease(tx: TxCtx, { id, name, creatorId, productId, releaseAt }: EpisodeRow): Promise<void> {
  const [found] = await tx.db
    .select({ user: users, timeZone: creators.timeZone, kind: products.kind })
    .from(creators)
    .innerJoin(users, eq(users.id, creators.userId))
    .innerJoin(products, eq(products.id, productId))
    .where(eq(creators.id, creatorId));
  if (!found || releaseAt === null) return;
  const { user, timeZone, kind } = found;
  const language = user.language ?? DEFAULT_LANGUAGE;
  const format = dateFormat(localeOf(language, user.country), { dateStyle: 'long', timeStyle: 'short', timeZone });
  const [planned, actual] = [format.format(releaseAt), format.format(tx.now())];
  const url = tx.urls.app(`${languagePrefix(language)}/${KINDS[kind].path}/${productId}/episodes/${id}`);
  const facts = { topic: 'late_release', url, episode: name, planned, actual, zone: timeZone } as const;
  await queueAccountEmail(tx, user, facts);
}
