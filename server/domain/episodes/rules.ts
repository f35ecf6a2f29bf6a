import type { BatchAction, BatchedState, Chapter, EpisodeStatus, EpisodeType, ServedHead } from '~/db/values/episodes';
import type { RunStatus } from '~/db/values/transcription';
import { webUrl } from '../../base/addresses';
import { earlier, readWallClock, toWallClock } from '../../base/time';
import { CHAPTER_LIMITS, EPISODE_LIMITS } from '../../limits/episodes';
import { publishTimeInPast } from './errors';

/**
 * Yes-or-no fields, all false by default. Schemas, views, REST, the form, creators' archives and copies use this list:
 * a new flag needs only a column with its migration and its texts (decision 0075).
 */
export const EPISODE_FLAGS = ['explicit', 'transcriptShowAll', 'aiContent'] as const;
export type EpisodeFlag = (typeof EPISODE_FLAGS)[number];

/** The writer of a status: the owner, the job that checks the audio, or the job that runs at the release time. */
export type StatusWriter = 'owner' | 'check' | 'clock';

/**
 * Spec §4: every allowed change of an episode's status. While the audio is being checked (`in_progress`), the owner can
 * only replace the file, and a failed episode needs a new file. The clock puts an episode on hold if it may not publish
 * it.
 */
export const TRANSITIONS: Record<StatusWriter, Partial<Record<EpisodeStatus, readonly EpisodeStatus[]>>> = {
  owner: {
    in_progress: ['in_progress'],
    failed: ['in_progress'],
    scheduled: ['published', 'on_hold', 'in_progress', 'scheduled'],
    published: ['on_hold', 'scheduled', 'in_progress'],
    on_hold: ['published', 'scheduled', 'in_progress'],
  },
  check: { in_progress: ['published', 'scheduled', 'on_hold', 'failed'] },
  clock: { scheduled: ['published', 'on_hold'] },
};

export function mayBecome(from: EpisodeStatus, to: EpisodeStatus, by: StatusWriter = 'owner'): boolean {
  return TRANSITIONS[by][from]?.includes(to) ?? false;
}

/**
 * A release up to five minutes in the past is allowed, because filling in a form takes time.
 * @throws episode.publish_time_in_past
 */
export function assertReleaseAllowed(releaseDate: Date | null | undefined, now: Date): void {
  if (releaseDate && releaseDate < earlier(now, EPISODE_LIMITS.pastSlack)) throw publishTimeInPast();
}

/** The status of an episode with checked audio: published once its release time has come. */
export function statusAt(releaseAt: Date, now: Date): 'published' | 'scheduled' {
  return releaseAt <= now ? 'published' : 'scheduled';
}

type Announced = { sendEmail: boolean; type: EpisodeType; releaseAt: Date | null };

/**
 * Whether subscribers get an email when an episode is published. Trailers are for people who don't know the show yet.
 * An older date means that the episode was imported or returns to its place; a release by the clock was planned,
 * however late it is.
 */
export function isAnnounced({ sendEmail, type, releaseAt }: Announced, by: StatusWriter, now: Date): boolean {
  const isNew = releaseAt !== null && releaseAt >= earlier(now, EPISODE_LIMITS.announcedWithin);
  return sendEmail && type !== 'trailer' && (isNew || by === 'clock');
}

/** Whether the job of a release ran so late that the owner should know. */
export function isLate(planned: Date, now: Date): boolean {
  return planned < earlier(now, EPISODE_LIMITS.releaseLate);
}

type Release = { status: EpisodeStatus; releaseAt: Date | null; publishedAt: Date | null };

/** The release time with which an unpublished episode was published; null if it never was. */
export function formerReleaseOf({ status, releaseAt, publishedAt }: Release): Date | null {
  return status === 'on_hold' && releaseAt?.getTime() === publishedAt?.getTime() ? releaseAt : null;
}

/**
 * Spec §5: a paid product may not have more published public episodes than published private ones.
 * Trailers don't count, and free products have no such limit.
 */
export function isBalanced(isPaid: boolean, published: { public: number; private: number }): boolean {
  return !isPaid || published.public <= published.private;
}

/** The effect of an action on an episode: it changes it, leaves it because nothing would change, or can't change it. */
export type BatchOutcome = 'change' | 'same' | 'being_checked' | 'needs_audio';

/**
 * Unlike the form of an episode, an action on several episodes tells a running check neither to hold nor to publish.
 */
export function batchOutcome(
  action: BatchAction,
  { type, status }: Pick<BatchedState, 'type' | 'status'>,
): BatchOutcome {
  if (action === 'delete') return 'change';
  if (action === 'private' || action === 'public') return type === action ? 'same' : 'change';
  if (status === (action === 'publish' ? 'published' : 'on_hold')) return 'same';
  if (status === 'in_progress') return 'being_checked';
  return status === 'failed' ? 'needs_audio' : 'change';
}

/** The type of a new episode: subscribers pay for private ones, and a paid show can't begin with a public one. */
export const typeOfNew = ({ isFree }: { isFree: boolean }): EpisodeType => (isFree ? 'public' : 'private');

/** Whether the episode is still as the action left it. */
export function isAsLeft(action: BatchAction, after: BatchedState, now: BatchedState): boolean {
  if (action === 'delete') return now.deletedAt === after.deletedAt;
  if (now.deletedAt !== null) return false;
  if (action === 'private' || action === 'public') return now.type === after.type;
  return now.status === after.status && now.releaseAt === after.releaseAt;
}

/** The keys of the objects that belong only to an episode, except its cover. */
export function objectKeysOf(episode: {
  audioKey: string | null;
  peaksKey: string | null;
  servedHead: ServedHead | null;
}): string[] {
  const { audioKey, peaksKey, servedHead } = episode;
  return [audioKey, peaksKey, servedHead?.key].filter((key) => typeof key === 'string');
}

/** How an episode's loudness differs from that of other podcasts; null if it does not, or if it is silent. */
export function loudnessProblem(lufs: number | null): 'quiet' | 'loud' | null {
  const { min, max } = EPISODE_LIMITS.usualLoudness;
  if (lufs === null || (lufs >= min && lufs <= max)) return null;
  return lufs < min ? 'quiet' : 'loud';
}

type FileChapter = { startMs: number; title: string; url?: string | null };

/**
 * The usable chapters of a file, whose content is untrusted: in order, within the file, each with a title and a
 * different start, and no more than an owner could save.
 */
export function chaptersFromFile(chapters: FileChapter[], durationMs: number): Chapter[] {
  const usable = chapters
    .filter(({ startMs, title }) => Number.isFinite(startMs) && startMs >= 0 && startMs < durationMs && title !== '')
    .sort((a, b) => a.startMs - b.startMs)
    .filter(({ startMs }, i, all) => startMs !== all[i - 1]?.startMs);
  return usable.slice(0, CHAPTER_LIMITS.count).map(({ startMs, title, url }) => ({
    startMs: Math.round(startMs),
    title: title.slice(0, CHAPTER_LIMITS.titleLength).toWellFormed(),
    url: webUrl(url ?? '', CHAPTER_LIMITS.urlLength),
    imageKey: null,
  }));
}

/** The status as creators know it: an episode on hold that never had a release time is a draft. */
export const shownStatus = ({ status, releaseDate }: { status: EpisodeStatus; releaseDate: Date | null }) =>
  status === 'on_hold' && releaseDate === null ? 'draft' : status;

/** Whether a chapter starts after the end of the audio, because it was edited for a longer file. */
export const isPastEnd = (startMs: number, durationMs: number | null): boolean =>
  durationMs !== null && startMs >= durationMs;

/** The chapters that listeners get. Other chapters stay saved, because the next file may be longer again. */
export const audibleChapters = (chapters: Chapter[], durationMs: number | null): Chapter[] =>
  chapters.filter(({ startMs }) => !isPastEnd(startMs, durationMs));

/** '2026-12' → '2027-01'; `by` months later or earlier. */
export function nextMonth(month: string, by = 1): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, '2026-12'.length);
}

/** The days of a month in weeks, filled up with days of the months before and after. `firstDay`: 0 is Sunday. */
export function weeksOf(month: string, firstDay: number): string[][] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const start = new Date(first);
  start.setUTCDate(1 - ((first.getUTCDay() - firstDay + WEEK) % WEEK));
  const weeks: string[][] = [];
  while (weeks.length === 0 || start.toISOString().slice(0, month.length) === month) {
    weeks.push(
      Array.from({ length: WEEK }, () => {
        const day = start.toISOString().slice(0, '2026-12-01'.length);
        start.setUTCDate(start.getUTCDate() + 1);
        return day;
      }),
    );
  }
  return weeks;
}
const WEEK = 7;

type ReleaseChoice = { publish: string; releaseLocal?: string; releaseMoment?: string; timeZone: string };

/**
 * A form's choice of the release time: a wall-clock time with its zone; null means now, or a draft. `releaseMoment`
 * answers the question about a time that clocks skip or show twice, with one of the two instants that the form offers. An
 * answer to another question is ignored.
 */
export function readRelease(choice: ReleaseChoice): { at: Date | null } | { problem: string } {
  const { publish, releaseLocal = '', releaseMoment, timeZone } = choice;
  if (publish !== 'later') return { at: null };
  const read = readWallClock(releaseLocal, timeZone);
  if (read?.kind === 'once') return { at: read.at };
  const answer = read && [read.earlier, read.later].find((at) => at.toISOString() === releaseMoment);
  if (answer) return { at: answer };
  return { problem: read ? `episode.time_${read.kind}` : 'episode.date_invalid' };
}

/**
 * A release moved to another day, such as `2026-11-30`, at its time of day in a time zone. Of a time that clocks show
 * twice it takes the first; of one that they skip, the time that clocks show instead.
 */
export function releaseOnDay(releaseAt: Date, day: string, timeZone: string): Date {
  const timeOfDay = toWallClock(releaseAt, timeZone).slice(day.length);
  const read = readWallClock(`${day}${timeOfDay}`, timeZone);
  if (!read) return releaseAt;
  return read.kind === 'once' ? read.at : read.kind === 'repeated' ? read.earlier : read.later;
}

export const AUDIO_STATUSES = ['fetching', 'checking', 'ready', 'failed'] as const;
export type AudioStatus = (typeof AUDIO_STATUSES)[number];
type Heard = { status: EpisodeStatus; fetchedFrom: string | null; replacement: { isChecking: boolean } | null };

/** What becomes of the file that an episode got last. A published one may play its former audio meanwhile. */
export function audioStatus({ status, fetchedFrom, replacement }: Heard): AudioStatus {
  if (fetchedFrom !== null) return 'fetching';
  if (status === 'in_progress' || replacement?.isChecking) return 'checking';
  return status === 'failed' || replacement ? 'failed' : 'ready';
}

type Fetch = { episodeId: number; creatorId: number; host: string };
type Places = { atOnce: number; perCreator: number; perHost: number };

/** The waiting fetches that get the free places, in their order: no creator and no host gets all of them. */
export function chooseFetches(
  waiting: readonly Fetch[],
  running: readonly Omit<Fetch, 'episodeId'>[],
  { atOnce, perCreator, perHost }: Places,
): number[] {
  const taken = [...running];
  const chosen: number[] = [];
  for (const { episodeId, creatorId, host } of waiting) {
    if (taken.length >= atOnce) break;
    const ofCreator = taken.filter((other) => other.creatorId === creatorId).length;
    const atHost = taken.filter((other) => other.host === host).length;
    if (ofCreator >= perCreator || atHost >= perHost) continue;
    taken.push({ creatorId, host });
    chosen.push(episodeId);
  }
  return chosen;
}

export const TRANSCRIPT_STATUSES = ['none', 'transcribing', 'transcribed', 'failed'] as const;
export type TranscriptStatus = (typeof TRANSCRIPT_STATUSES)[number];
type Transcribed = { hasTranscript: boolean; transcription: RunStatus | null };

/** The status of an episode's transcript (spec §4). A failure is told only while there is no transcript. */
export function transcriptStatus({ hasTranscript, transcription }: Transcribed): TranscriptStatus {
  if (transcription === 'running') return 'transcribing';
  if (hasTranscript) return 'transcribed';
  return transcription === 'failed' ? 'failed' : 'none';
}

/** A part of a text around the first of some words, of about `length` characters; its beginning if it has none of them. */
export function excerptAround(text: string, words: string, length: number): string {
  if (text.length <= length) return text;
  const plain = (part: string) => part.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const letters = Array.from(text);
  // one character for each letter, so that positions are the same in both; most letters need no table of Unicode
  const folded = letters
    .map((letter) => (letter < '\u0080' ? letter.toLowerCase() : (plain(letter)[0] ?? ' ')))
    .join('');
  const wanted = plain(words).split(/[^\p{L}\p{N}]+/u);
  const places = wanted.map((word) => (word === '' ? -1 : folded.indexOf(word))).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = Math.max(0, Math.min(first - Math.floor(length / 3), letters.length - length));
  const cut = letters
    .slice(from, from + length)
    .join('')
    .trim();
  return `${from > 0 ? '…' : ''}${cut}${from + length < letters.length ? '…' : ''}`;
}
