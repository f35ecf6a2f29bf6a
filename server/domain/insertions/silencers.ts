import type { CampaignKind, Place } from '~/db/values/insertions';
import type { Selection } from './rules';

/** A running campaign or fallback with the clips that take turns in it. */
export type ClipUser = Omit<Selection, 'episodeIds'> & {
  id: number;
  kind: CampaignKind;
  place: Place;
  number: number;
  clipIds: readonly number[];
  isPaced: boolean;
  inPublicFeed: boolean;
  inPrivateFeeds: boolean;
  inWebPlayer: boolean;
  countries: readonly string[];
};

/** The chosen episodes of campaigns, by their ids. */
export type ChosenEpisodes = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Why nobody hears a campaign: no download has a clip twice, and each of its clips is the only one of a campaign that
 * plays before it, in the same episodes and for the same listeners. @returns the first of these; null if it is heard
 */
export function silencerOf<User extends ClipUser>(
  campaign: ClipUser,
  others: readonly User[],
  chosen: ChosenEpisodes,
): User | null {
  const suspects = suspectsFor(campaign, others);
  const takers = campaign.clipIds.map((id) =>
    suspects.find((other) => other.clipIds[0] === id && includesAll(other, campaign, chosen)),
  );
  return takers.every((taker) => taker !== undefined) ? (takers[0] ?? null) : null;
}

/** The campaigns that play a clip of another one before it, if they play in its episodes. */
export const suspectsFor = <User extends ClipUser>(campaign: ClipUser, others: readonly User[]): User[] =>
  others.filter(
    (other) =>
      other.clipIds.length === 1 && campaign.clipIds.includes(other.clipIds[0]!) && playsBefore(other, campaign),
  );

/** Whether one campaign plays earlier than another in the episodes of both. A paced one has hours without it. */
function playsBefore(one: ClipUser, other: ClipUser): boolean {
  const isAtDoors = DOORS.every((door) => one[door] || !other[door]);
  const reaches =
    one.countries.length === 0 || (other.countries.length > 0 && isSubset(other.countries, one.countries));
  return one.kind === 'campaign' && !one.isPaced && isEarlier(one, other) && isAtDoors && reaches;
}

/** An episode may have no mid-roll, so that only a later one of it surely has an earlier one. */
function isEarlier(one: ClipUser, other: ClipUser): boolean {
  if (one.place === 'mid') return other.place === 'mid' && one.number < other.number;
  return one.place === 'pre' && other.place !== 'pre';
}

const DOORS = ['inPublicFeed', 'inPrivateFeeds', 'inWebPlayer'] as const;
const NONE: ReadonlySet<number> = new Set();
const areAmong = (some = NONE, all = NONE): boolean => some.size <= all.size && [...some].every((id) => all.has(id));
const isSubset = <T>(some: readonly T[], all: readonly T[]): boolean => some.every((each) => all.includes(each));

/** Whether a selection includes all episodes of another one, whichever these are. */
function includesAll(one: ClipUser, other: ClipUser, chosen: ChosenEpisodes): boolean {
  if (one.selection === 'all') return true;
  if (one.selection !== other.selection) return false;
  if (one.selection === 'chosen') return areAmong(chosen.get(other.id), chosen.get(one.id));
  if (one.selectionDay === null || other.selectionDay === null) return false;
  return one.selection === 'before' ? one.selectionDay >= other.selectionDay : one.selectionDay <= other.selectionDay;
}
