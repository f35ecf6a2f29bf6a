import {
  type CampaignKind,
  type ClipState,
  type EpisodeSelection,
  type OmittedPassage,
  type Place,
  SLOT_RULES,
  type SlotRule,
} from '~/db/values/insertions';
import type { Target } from '../../audio/conform';
import { bitratesOf } from '../../audio/frame-header';
import type { AppError } from '../../base/errors';
import { POINT_LIMITS } from '../../limits/insertions';
import {
  campaignDayOver,
  capTooLow,
  clipRequired,
  doorRequired,
  episodesRequired,
  firstDayRequired,
  lastDayTooEarly,
  pacingIncomplete,
  positionRequired,
  selectionDayRequired,
} from './errors';

/** The facts on which the state of a campaign depends; days as `2026-11-27`, in the creator's time zone. */
export type CampaignFacts = {
  isComplete: boolean;
  isActive: boolean;
  failureReason: string | null;
  firstDay: string | null;
  lastDay: string | null;
  cap: number | null;
  impressions: number;
  endedAt: Date | null;
  /** Of its clips in the encodings of its episodes: failed if one of them failed, ready if all are. */
  clips: ClipState;
};

export const CAMPAIGN_STATES = ['draft', 'preparing', 'scheduled', 'running', 'paused', 'ended', 'failed'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** The state of a campaign on a day. */
export function campaignStateOf(campaign: CampaignFacts, today: string): CampaignState {
  if (!campaign.isComplete) return 'draft';
  if (hasEnded(campaign, today)) return 'ended';
  if (campaign.failureReason !== null || campaign.clips === 'failed') return 'failed';
  if (!campaign.isActive) return 'paused';
  if (campaign.clips === 'in_progress') return 'preparing';
  return campaign.firstDay !== null && today < campaign.firstDay ? 'scheduled' : 'running';
}

function hasEnded({ endedAt, lastDay, cap, impressions }: CampaignFacts, today: string): boolean {
  return endedAt !== null || (lastDay !== null && today > lastDay) || (cap !== null && impressions >= cap);
}

/** Whether two periods share a day; null is open, and both ends are included. */
export function overlap(
  one: Pick<CampaignFacts, 'firstDay' | 'lastDay'>,
  other: Pick<CampaignFacts, 'firstDay' | 'lastDay'>,
): boolean {
  const begins = (first: string | null, last: string | null) => first === null || last === null || first <= last;
  return begins(one.firstDay, other.lastDay) && begins(other.firstDay, one.lastDay);
}

type StoredFormat = { sampleRate: number; channels: number; bitrate: number };

/**
 * The encoding of an episode's file, as `clip_versions` name it: `1/44100/2/128000`. The sample rate determines the
 * MPEG version. The average of a variable bit rate counts as the nearest of the format, so that such episodes share
 * their clips.
 */
export function encodingOf({ sampleRate, channels, bitrate }: StoredFormat): string {
  const version = versionOf(sampleRate);
  const distance = (kbps: number) => Math.abs(kbps * 1000 - bitrate);
  const nearest = bitratesOf(version).reduce((best, kbps) => (distance(kbps) < distance(best) ? kbps : best));
  return [version, sampleRate, channels, nearest * 1000].join('/');
}

const versionOf = (sampleRate: number) => (sampleRate >= 32_000 ? 1 : sampleRate >= 16_000 ? 2 : 2.5);

/** The format for which a clip is converted, from the columns of its version. */
export function targetOf({ encoding, loudness }: { encoding: string; loudness: number }): Target {
  const [, sampleRate, channels, bitrate] = encoding.split('/').map(Number) as [number, number, number, number];
  const lufs = loudness === 0 ? null : loudness;
  return { version: versionOf(sampleRate), sampleRate, channels: channels === 1 ? 1 : 2, bitrate, lufs };
}

/** The loudness for which a clip is converted, in whole LUFS: few versions serve many episodes. */
export const loudnessStep = (loudnessTenths: number | null): number =>
  loudnessTenths === null ? 0 : Math.round(loudnessTenths / 10);

// ───────────────────────────── What a campaign plays in ─────────────────────────────

/** `selectionDay`: of `before` and `new`. `episodeIds`: of `chosen`. */
export type Selection = { selection: EpisodeSelection; selectionDay: string | null; episodeIds: readonly number[] };
/** `releaseDay`: in the creator's time zone; null for an episode without a release time, which will be a new one. */
export type SelectableEpisode = { id: number; releaseDay: string | null };

/** Whether a selection includes an episode. */
export const selects = ({ episodeIds, ...selection }: Selection, { id, releaseDay }: SelectableEpisode): boolean =>
  isSelected({ ...selection, isChosen: episodeIds.includes(id) }, releaseDay);

/** The same, where the row says whether the episode is a chosen one; `whereSelected` has the rule for queries. */
export function isSelected(
  { selection, selectionDay, isChosen }: Omit<Selection, 'episodeIds'> & { isChosen: boolean },
  releaseDay: string | null,
): boolean {
  if (selection === 'all') return true;
  if (selection === 'chosen') return isChosen;
  const isBefore = releaseDay !== null && selectionDay !== null && releaseDay < selectionDay;
  return (selection === 'before') === isBefore;
}

/** Whether two selections of a show share an episode: one of these, or one that is released from today on. */
export function shareEpisode(
  one: Selection,
  other: Selection,
  { episodes, today }: { episodes: readonly SelectableEpisode[]; today: string },
): boolean {
  if (one.selection !== 'chosen' && other.selection !== 'chosen' && areOpenTogether(one, other, today)) return true;
  return episodes.some((episode) => selects(one, episode) && selects(other, episode));
}

/** Whether both include episodes of some day from today on. */
function areOpenTogether(one: Selection, other: Selection, today: string): boolean {
  const days = (selection: EpisodeSelection) =>
    [one, other].flatMap((each) => (each.selection === selection && each.selectionDay ? [each.selectionDay] : []));
  const from = [today, ...days('new')].reduce((latest, day) => (day > latest ? day : latest));
  return days('before').every((day) => from < day);
}

/** What a creator may save. Days in the creator's time zone. */
export type CampaignTerms = Selection & {
  kind: CampaignKind;
  isDraft: boolean;
  place: Place | null;
  number: number;
  clipIds: readonly number[];
  firstDay: string | null;
  lastDay: string | null;
  cap: number | null;
  isPaced: boolean;
  inPublicFeed: boolean;
  inPrivateFeeds: boolean;
  inWebPlayer: boolean;
};

/** The terms that apply: only mid-rolls have a number, and a fallback has neither days nor a cap. */
export function effectiveTerms<Terms extends CampaignTerms>(terms: Terms): Terms {
  const byDay = terms.selection === 'before' || terms.selection === 'new';
  const always = { firstDay: null, lastDay: null, cap: null, isPaced: false };
  return {
    ...terms,
    number: terms.place === 'mid' ? Math.max(1, terms.number) : 0,
    selectionDay: byDay ? terms.selectionDay : null,
    episodeIds: terms.selection === 'chosen' ? terms.episodeIds : [],
    ...(terms.kind === 'fallback' && always),
  };
}

/**
 * Why a campaign can't be saved: at most one error for each field, so that a form shows all of them. `used`: impressions
 * counted, and expected from downloads that have begun. `formerLastDay`: of a campaign that is edited, which may keep a
 * day that is over.
 */
export function campaignProblems(
  terms: CampaignTerms,
  { today, used, formerLastDay }: { today: string; used: number; formerLastDay: string | null },
): AppError[] {
  const { selection, cap } = terms;
  const byDay = selection === 'before' || selection === 'new';
  const isHeard = terms.inPublicFeed || terms.inPrivateFeeds || terms.inWebPlayer;
  const found = [
    cap !== null && cap < used && capTooLow({ count: used }),
    ...(terms.isDraft
      ? []
      : [
          terms.clipIds.length === 0 && clipRequired(),
          terms.place === null && positionRequired(),
          selection === 'chosen' && terms.episodeIds.length === 0 && episodesRequired(),
          byDay && !terms.selectionDay && selectionDayRequired(),
          ...dayProblems(terms, { today, formerLastDay }),
          !isHeard && doorRequired(),
        ]),
  ];
  return found.filter((problem) => problem !== false);
}

function dayProblems(
  { kind, firstDay, lastDay, cap, isPaced }: CampaignTerms,
  { today, formerLastDay }: { today: string; formerLastDay: string | null },
): (AppError | false)[] {
  if (kind === 'fallback') return [];
  const isTooEarly = firstDay !== null && lastDay !== null && lastDay < firstDay;
  const isOver = lastDay !== null && lastDay < today && lastDay !== formerLastDay;
  return [
    firstDay === null && firstDayRequired(),
    isTooEarly ? lastDayTooEarly() : isOver && campaignDayOver(),
    isPaced && (cap === null || lastDay === null) && pacingIncomplete(),
  ];
}

/** The order after a campaign has moved up or down by one place; null if it has no neighbour there. */
export function movedOrder(ids: readonly number[], id: number, direction: 'up' | 'down'): number[] | null {
  const from = ids.indexOf(id);
  const to = from + (direction === 'up' ? -1 : 1);
  if (from < 0 || to < 0 || to >= ids.length) return null;
  return ids.map((each, i) => (i === from ? ids[to]! : i === to ? id : each));
}

// ───────────────────────────── Where clips play in an episode ─────────────────────────────

/** A pause of an episode, and the place in its middle, where a clip cuts nothing off; in milliseconds of its file. */
export type Pause = { startMs: number; endMs: number; atMs: number };

/** The pauses at which a clip can play, in their order. */
export function pausesOf(silences: readonly { startMs: number; endMs: number }[], durationMs: number): Pause[] {
  const { pauseMs, edgeMs } = POINT_LIMITS;
  return silences
    .filter(({ startMs, endMs }) => endMs - startMs >= pauseMs)
    .map(({ startMs, endMs }) => ({ startMs, endMs, atMs: Math.round((startMs + endMs) / 2) }))
    .filter(({ atMs }) => atMs >= edgeMs && atMs <= durationMs - edgeMs);
}

/** The pause whose middle is nearest to a time; null if none is within `withinMs`. */
export function nearestPause(
  pauses: readonly Pause[],
  ms: number,
  withinMs: number = POINT_LIMITS.snapMs,
): Pause | null {
  const distance = ({ atMs }: Pause) => Math.abs(atMs - ms);
  const near = pauses.filter((pause) => distance(pause) <= withinMs);
  return near.reduce<Pause | null>((best, pause) => (best && distance(best) <= distance(pause) ? best : pause), null);
}

const isApart = (places: readonly number[], ms: number, apartMs: number) =>
  places.every((place) => Math.abs(place - ms) >= apartMs);

/** The longest pauses that divide an episode into parts of some length, in their order. */
export function proposedPauses(pauses: readonly Pause[], durationMs: number): Pause[] {
  const { proposals, shortestMs } = POINT_LIMITS;
  // a short episode has room for one near its middle
  const apartMs = Math.min(Math.max(shortestMs, durationMs / (2 * (proposals + 1))), durationMs / 3);
  const length = ({ startMs, endMs }: Pause) => endMs - startMs;
  const chosen: Pause[] = [];
  for (const pause of [...pauses].sort((a, b) => length(b) - length(a) || a.atMs - b.atMs)) {
    const places = [0, durationMs, ...chosen.map(({ atMs }) => atMs)];
    if (chosen.length < proposals && isApart(places, pause.atMs, apartMs)) chosen.push(pause);
  }
  return chosen.sort((a, b) => a.atMs - b.atMs);
}

/** What the template of a show knows of an episode. `chapters`: their starts, in their order. */
export type EpisodeSound = { durationMs: number; pauses: readonly Pause[]; chapters: readonly number[] };

/**
 * The places that a template finds in an episode, in their order: after the first chapter, at the pause nearest to the
 * middle, and at the last pause. A rule without such a place finds none: somebody should look at the episode.
 */
export function templatePlaces(rules: readonly SlotRule[], sound: EpisodeSound): number[] {
  if (sound.durationMs < POINT_LIMITS.shortestMs) return [];
  const places: number[] = [];
  for (const rule of SLOT_RULES.filter((each) => rules.includes(each))) {
    const place = PLACE_OF[rule](sound);
    if (place !== null && isApart(places, place, POINT_LIMITS.apartMs)) places.push(place);
  }
  return places.sort((a, b) => a - b);
}

const PLACE_OF: Record<SlotRule, (sound: EpisodeSound) => number | null> = {
  after_intro: ({ chapters, pauses, durationMs }) => {
    const end = chapters.find((startMs) => startMs >= POINT_LIMITS.edgeMs);
    if (end === undefined || end > durationMs - POINT_LIMITS.edgeMs) return null;
    return nearestPause(pauses, end, POINT_LIMITS.introMs)?.atMs ?? end;
  },
  near_middle: ({ pauses, durationMs }) => nearestPause(pauses, durationMs / 2, durationMs / 5)?.atMs ?? null,
  before_end: ({ pauses, durationMs }) =>
    pauses.findLast(({ atMs }) => atMs >= durationMs - Math.min(POINT_LIMITS.endMs, durationMs / 4))?.atMs ?? null,
};

/** Whether two passages share sound. */
export const doOverlap = (one: OmittedPassage, other: OmittedPassage): boolean =>
  one.fromMs < other.toMs && other.fromMs < one.toMs;
