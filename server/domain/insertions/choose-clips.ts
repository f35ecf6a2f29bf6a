import { hash } from 'node:crypto';
import type {
  Arrangement,
  CampaignKind,
  EpisodeSelection,
  ListenerDoor,
  OmittedPassage,
  Place,
  PlacedClip,
} from '~/db/values/insertions';
import { RENDITION_LIMITS } from '../../limits/insertions';
import { type CampaignFacts, campaignStateOf, isSelected } from './rules';

/** A clip that is ready in the encoding of an episode. */
export type ReadyClip = { clipId: number; versionId: number };

/** A campaign with its clips in their order, as far as they are ready for an episode. */
export type Insertable = Omit<CampaignFacts, 'clips'> & {
  id: number;
  kind: CampaignKind;
  place: Place;
  number: number;
  selection: EpisodeSelection;
  selectionDay: string | null;
  isChosen: boolean;
  rank: number;
  inPublicFeed: boolean;
  inPrivateFeeds: boolean;
  inWebPlayer: boolean;
  countries: string[];
  silenceBeforeMs: number;
  silenceAfterMs: number;
  clips: ReadyClip[];
};

/** `clip`: what plays in its place; null for nothing. */
export type Passage = OmittedPassage & { clip: ReadyClip | null };

/**
 * What can be inserted into an episode. Days are in the creator's time zone; `points` are the marked milliseconds of its
 * file, in their order.
 */
export type Insertables = {
  today: string;
  releaseDay: string | null;
  /** Since when the show promises its subscribers that they hear no insertions. */
  insertionFreeSince: Date | null;
  durationMs: number;
  points: number[];
  passages: Passage[];
  campaigns: Insertable[];
};

/**
 * `isSubscriber`: has access to the show, at whichever door. `turn`: decides which of a campaign's clips the listener gets. `without`: campaigns whose cap has no room. The country
 * is null if it is not known: then campaigns for certain countries don't play.
 */
export type ForListener = {
  door: ListenerDoor;
  country: string | null;
  isSubscriber?: boolean;
  turn: string;
  without?: ReadonlySet<number>;
};

const KINDS: readonly CampaignKind[] = ['campaign', 'promo'];

/**
 * What a listener gets, in the order of playing. In each place, all running campaigns play by their rank, then promos; a
 * fallback plays only where nothing else does. No clip plays twice. Subscribers who were promised no insertions hear none,
 * whatever the campaigns say; passages are left out for them, too, but not replaced.
 */
export function chooseClips(all: Insertables, listener: ForListener): Arrangement {
  const used = new Set<number>();
  const isSpared = spares(all, listener);
  const passages = all.passages.filter(({ fromMs }) => fromMs < all.durationMs);
  const replacing = passages.flatMap(({ fromMs, clip }): PlacedClip[] => {
    if (!clip || isSpared) return [];
    used.add(clip.clipId);
    return [{ place: fromMs, versionId: clip.versionId, campaignId: null }];
  });
  const running = (isSpared ? [] : all.campaigns).filter((campaign) => playsFor(campaign, all, listener));
  const points = all.points.filter((at) => at <= all.durationMs);
  const inPlace = (place: Place, number: number, at: PlacedClip['place']) => {
    const here = running
      .filter((campaign) => campaign.place === place && (place !== 'mid' || campaign.number === number))
      .sort((a, b) => a.rank - b.rank || a.id - b.id);
    const placed = KINDS.flatMap((kind) => placeAll(here, kind, { at, used, turn: listener.turn }));
    return placed.length > 0 ? placed : placeAll(here, 'fallback', { at, used, turn: listener.turn }).slice(0, 1);
  };
  const pre = inPlace('pre', 0, 'pre');
  const mid = points.flatMap((at, i) => inPlace('mid', i + 1, at));
  const post = inPlace('post', 0, 'post');
  const inside = [...replacing, ...mid].sort((a, b) => Number(a.place) - Number(b.place));
  return { clips: [...pre, ...inside, ...post], omitted: passages.map(({ fromMs, toMs }) => ({ fromMs, toMs })) };
}

/** Whether an arrangement leaves the episode as it is. */
export const isPlain = ({ clips, omitted }: Arrangement): boolean => clips.length === 0 && omitted.length === 0;

/** Whether the listener is one of the subscribers to whom the show promises no insertions. Private feeds are theirs. */
export const spares = (
  { insertionFreeSince }: Pick<Insertables, 'insertionFreeSince'>,
  { door, isSubscriber = false }: Pick<ForListener, 'door' | 'isSubscriber'>,
): boolean => insertionFreeSince !== null && (door === 'private_feed' || isSubscriber);

/** Whether a campaign is one of those that play for the listener. */
function playsFor(campaign: Insertable, { today, releaseDay }: Insertables, listener: ForListener): boolean {
  const { id, clips, countries } = campaign;
  const state = campaignStateOf({ ...campaign, clips: clips.length > 0 ? 'ready' : 'in_progress' }, today);
  if (state !== 'running' || listener.without?.has(id) || !isAtDoor(campaign, listener.door)) return false;
  const isReached = countries.length === 0 || (listener.country !== null && countries.includes(listener.country));
  return isReached && isSelected(campaign, releaseDay);
}

function isAtDoor({ inPublicFeed, inPrivateFeeds, inWebPlayer }: Insertable, door: ListenerDoor): boolean {
  return { public_feed: inPublicFeed, private_feed: inPrivateFeeds, web_player: inWebPlayer }[door];
}

type InPlace = { at: PlacedClip['place']; used: Set<number>; turn: string };

function placeAll(campaigns: Insertable[], kind: CampaignKind, { at, used, turn }: InPlace): PlacedClip[] {
  return campaigns
    .filter((campaign) => campaign.kind === kind)
    .flatMap(({ id, clips, silenceBeforeMs, silenceAfterMs }) => {
      const first = turnOf(turn, id, clips.length);
      const next = clips.map((_, i) => clips[(first + i) % clips.length]!).find(({ clipId }) => !used.has(clipId));
      if (!next) return [];
      used.add(next.clipId);
      const silences = {
        ...(silenceBeforeMs > 0 && { silenceBeforeMs }),
        ...(silenceAfterMs > 0 && { silenceAfterMs }),
      };
      return [{ place: at, versionId: next.versionId, campaignId: id, ...silences }];
    });
}

/** One turn for all campaigns: if each had its own, five clips in five places would make thousands of renditions. */
const turnOf = (turn: string, campaignId: number, clips: number): number =>
  ((Number.parseInt(hash('sha256', turn).slice(0, 8), 16) % RENDITION_LIMITS.turns) + campaignId) % clips;
