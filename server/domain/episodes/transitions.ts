import { and, eq, inArray, lt, or } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import type { EpisodeStatus } from '~/db/values/episodes';
import type { AppError } from '../../base/errors';
import type { Allowed } from '../../policy/authorize';
import { type PlaceFacts, whereKept } from '../../policy/visibility';
import { announceEpisode, checkAudio, goLive } from '../../queue/jobs/episodes';
import { announceChange, type TxCtx } from '../../runtime/ctx';
import { markProductChanged } from '../products/mark-product-changed';
import { recordAbout } from '../team/activity';
import { assertChangesAllowed } from './balance';
import { startEarlyAccess } from './early-access';
import { alreadyChanged, alreadyOnHold, alreadyPublished, beingChecked, needsAudio } from './errors';
import type { EpisodeRow } from './queries';
import { isAnnounced, mayBecome, type StatusWriter } from './rules';

export type ManageableEpisode = Allowed<'episode.manage', EpisodeRow>;
type StatusColumn = 'id' | 'productId' | 'uploadKey' | 'releaseAt' | keyof PlaceFacts;
type Changeable = Allowed<'episode.manage', Pick<EpisodeRow, StatusColumn> & { creatorId: number }>;
type Stamps = Pick<Partial<typeof episodes.$inferInsert>, 'heldAt' | 'publishedAt'>;
type Columns = Partial<Omit<typeof episodes.$inferInsert, 'status' | keyof Stamps>>;
/** `hold` sets or lifts the hold of an episode whose new file is being checked; undefined keeps it. */
export type Transition = { to: EpisodeStatus; by?: StatusWriter; set?: Columns; hold?: boolean };

/** Why an episode with this status does not change as it was asked to. */
const REASONS: Partial<Record<EpisodeStatus, () => AppError>> = {
  in_progress: beingChecked,
  failed: needsAudio,
  published: alreadyPublished,
  on_hold: alreadyOnHold,
};

const NO_FAILURE = { failureReason: null, failureParams: {} };

/**
 * The only writer of `episodes.status` except `failOverdueChecks` (decision 0076). It checks the transition table and
 * the public ≤ private rule, writes, and enqueues the job that the new status needs. It writes only if neither status
 * nor file has changed since the episode was read, so the second of two concurrent changes fails.
 * @throws episode.already_changed, what REASONS has, episode.public_exceeds_private, episode.private_needed,
 * episode.max_free_reached
 */
export async function transition(tx: TxCtx, episode: Changeable, change: Transition): Promise<void> {
  const { to, by = 'owner', set = {} } = change;
  if (!mayBecome(episode.status, to, by)) throw (REASONS[episode.status] ?? alreadyChanged)();
  const unchanged = and(
    eq(episodes.id, episode.id),
    eq(episodes.status, episode.status),
    eq(episodes.uploadKey, episode.uploadKey),
    whereKept(),
  );
  const [written] = await tx.db
    .update(episodes)
    .set({ ...NO_FAILURE, ...set, ...stampsOf(tx, episode, change), status: to, updatedAt: tx.now() })
    .where(unchanged)
    .returning();
  if (!written) throw alreadyChanged();
  await assertChangesAllowed(tx, written.productId, [{ from: episode, to: written }]);
  await enqueueNext(tx, written);
  if (to === 'published' && episode.publishedAt === null) await startEarlyAccess(tx, written);
  if (to === 'published' && isAnnounced(written, by, tx.now())) await enqueueAnnouncement(tx, episode, written);
  await markProductChanged(tx, episode.productId);
}

/** A new episode starts `in_progress`. A hold makes it a draft: the check puts it on hold. */
export async function insertEpisode(
  tx: TxCtx,
  { hold, ...values }: Omit<typeof episodes.$inferInsert, 'status' | keyof Stamps> & { hold: boolean },
): Promise<number> {
  const [inserted] = await tx.db
    .insert(episodes)
    .values({ ...values, status: 'in_progress', heldAt: hold ? tx.now() : null })
    .returning();
  await enqueueNext(tx, inserted!);
  await recordAbout(tx, 'episode.created', inserted!);
  // only its owner sees the new episode, so the feed stays unchanged
  await announceChange(tx, `product:${values.productId}`);
  return inserted!.id;
}

/** A copy of an episode with checked audio starts as a draft. */
export async function insertDraft(tx: TxCtx, values: NewDraft): Promise<number> {
  const [inserted] = await tx.db
    .insert(episodes)
    .values({ ...values, status: 'on_hold', heldAt: tx.now() })
    .returning({ id: episodes.id });
  await announceChange(tx, `product:${values.productId}`);
  return inserted!.id;
}

type NewDraft = Omit<typeof episodes.$inferInsert, 'status' | keyof Stamps>;

/**
 * Fails all checks that haven't finished since `before`. It bypasses `transition` with one statement, because the
 * recovery job has no rows to authorize. Its `where` allows only the table's `in_progress` to `failed`, which affects
 * neither the public ≤ private rule nor a hold, and enqueues no job.
 */
export async function failOverdueChecks(tx: TxCtx, before: Date): Promise<void> {
  const failed = await tx.db
    .update(episodes)
    .set({ status: 'failed', failureReason: 'audio.check_failed', updatedAt: tx.now() })
    .where(and(eq(episodes.status, 'in_progress'), lt(episodes.updatedAt, before), whereKept()))
    .returning({ productId: episodes.productId });
  for (const productId of new Set(failed.map((row) => row.productId))) await markProductChanged(tx, productId);
}

/** The times of the hold and of the publication; undefined leaves a column unchanged. */
function stampsOf(tx: TxCtx, episode: Pick<EpisodeRow, StatusColumn>, { to, set = {}, hold }: Transition): Stamps {
  if (to === 'published') return { heldAt: null, publishedAt: set.releaseAt ?? episode.releaseAt };
  // the public place is free until the episode is published again
  if (to === 'scheduled') return { heldAt: null, publishedAt: null };
  if (hold === false) return { heldAt: null };
  // a hold survives the check of a new file
  return to === 'on_hold' || hold ? { heldAt: episode.heldAt ?? tx.now() } : {};
}

/** Sets or lifts the hold of an episode without checked audio. Its status stays; the check follows the hold. */
export async function setHold(tx: TxCtx, episode: ManageableEpisode, hold: boolean): Promise<void> {
  const heldAt = hold ? (episode.heldAt ?? tx.now()) : null;
  await tx.db.update(episodes).set({ heldAt }).where(eq(episodes.id, episode.id));
  await assertChangesAllowed(tx, episode.productId, [{ from: episode, to: { ...episode, heldAt } }]);
}

/**
 * Puts restored episodes on hold for one reason; episodes without checked audio keep their status, and the check
 * follows the hold. Deleted episodes had no place, so the public ≤ private rule is not affected.
 */
export async function holdRestored(tx: TxCtx, found: ManageableEpisode[], { code, params }: AppError): Promise<void> {
  const isReleased = ({ status }: ManageableEpisode) => mayBecome(status, 'on_hold');
  const idsOf = (rows: ManageableEpisode[]) => rows.map(({ id }) => id);
  const reason = { failureReason: code, failureParams: params };
  await tx.db
    .update(episodes)
    .set({ ...reason, status: 'on_hold', heldAt: tx.now() })
    .where(inArray(episodes.id, idsOf(found.filter(isReleased))));
  await tx.db
    .update(episodes)
    .set({ heldAt: tx.now() })
    .where(inArray(episodes.id, idsOf(found.filter((episode) => !isReleased(episode)))));
}

/** Enqueues the jobs that restored episodes need: episodes on hold need no release. */
export async function enqueueRestored(tx: TxCtx, found: EpisodeRow[], held: ReadonlySet<EpisodeRow>): Promise<void> {
  // the check of the new file found the episode deleted
  const checked = found.filter(({ status, replacementKey }) => status === 'in_progress' || replacementKey !== null);
  const scheduled = found.flatMap((episode) => {
    const { id, status, releaseAt } = episode;
    return status === 'scheduled' && releaseAt && !held.has(episode) ? [{ episodeId: id, at: releaseAt }] : [];
  });
  await tx.jobs.enqueueAll(
    checkAudio,
    checked.map(({ id }) => ({ episodeId: id })),
  );
  await tx.jobs.enqueueAll(
    goLive,
    scheduled.map(({ episodeId }) => ({ episodeId })),
    { at: scheduled.map(({ at }) => at) },
  );
}

/**
 * Tells the owner why a file has not been checked yet. The time of the last change stays unchanged, because it decides when
 * checks are given up.
 */
export async function noteDelay(
  tx: TxCtx,
  { id, productId, uploadKey }: Pick<EpisodeRow, 'id' | 'productId' | 'uploadKey'>,
  { code, params }: Pick<AppError, 'code' | 'params'>,
): Promise<void> {
  const isNew = and(eq(episodes.status, 'in_progress'), eq(episodes.uploadKey, uploadKey));
  const isChecked = and(eq(episodes.id, id), or(isNew, eq(episodes.replacementKey, uploadKey)));
  await tx.db.update(episodes).set({ failureReason: code, failureParams: params }).where(isChecked);
  await announceChange(tx, `product:${productId}`);
}

/** Enqueues the job that an episode's status needs. */
async function enqueueNext(
  tx: TxCtx,
  { id, status, releaseAt }: Pick<EpisodeRow, 'id' | 'status' | 'releaseAt'>,
): Promise<void> {
  if (status === 'in_progress') await tx.jobs.enqueue(checkAudio, { episodeId: id });
  if (status === 'scheduled' && releaseAt) await tx.jobs.enqueue(goLive, { episodeId: id }, { at: releaseAt });
}

/** An episode that is published again is announced only to people who were subscribers at its first publication. */
async function enqueueAnnouncement(
  tx: TxCtx,
  { publishedAt }: Pick<EpisodeRow, 'publishedAt'>,
  { id, releaseAt }: Pick<EpisodeRow, 'id' | 'releaseAt'>,
): Promise<void> {
  const until = (publishedAt === null ? null : releaseAt) ?? tx.now();
  await tx.jobs.enqueue(announceEpisode, { episodeId: id, until: until.toISOString(), after: 0 });
}
