import type { EpisodeStatus, EpisodeType } from '~/db/values/episodes';

type Episode = {
  id: number;
  name: string;
  type: EpisodeType;
  status: EpisodeStatus;
  earlyUntil: Date | null;
  releaseDate: Date | null;
};
/** Who can hear an episode after its release. `date`: when it opens to everyone, or is published. */
export type PublishOutcome = {
  episode: Pick<Episode, 'id' | 'name'>;
  state: EpisodeType | 'early' | 'scheduled';
  date: Date | null;
};

export function outcomeOf({ id, name, type, status, earlyUntil, releaseDate }: Episode): PublishOutcome {
  const episode = { id, name };
  if (status === 'scheduled') return { episode, state: 'scheduled', date: releaseDate };
  if (type === 'public' && earlyUntil) return { episode, state: 'early', date: earlyUntil };
  return { episode, state: type, date: null };
}
