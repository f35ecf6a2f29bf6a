import type { FieldErrors, FormValues } from '~/app/lib/check-form';
import type { Translate } from '~/locales/translate';
import type { EpisodeStatus, EpisodeType } from '~/server/domain/episodes/rules';
import { EPISODE_FLAGS, type EpisodeFlag, releaseChoice } from '~/server/domain/episodes/schema';
import type { KindName } from '~/server/domain/products/kinds';
import { EPISODE_LIMITS } from '~/server/limits/episodes';
import { toWallClock } from '~/server/time';

export type EditedEpisode = {
  id: number;
  name: string;
  description: string;
  privateNote: string | null;
  type: EpisodeType;
  status: EpisodeStatus;
  releaseDate: Date | null;
  slug: string;
  season: number | null;
  number: number | null;
  hasOwnCover: boolean;
  picture: string;
} & Record<EpisodeFlag, boolean>;

/** What the form of an episode begins with; times are wall-clock times of the creator's zone. */
export function initialEpisodeValues(
  product: { id: number; kind: KindName },
  episode: EditedEpisode | null,
  timeZone: string,
): FormValues {
  const shared = { kind: product.kind, timeZone, fileKey: '', coverKey: '', releaseDate: '' };
  if (!episode) {
    const blank = { name: '', description: '', privateNote: '', slug: '', season: '', number: '', releaseLocal: '' };
    return { ...shared, ...blank, ...flagTexts(null), productId: String(product.id), type: 'public', publish: 'now' };
  }
  const { id, name, description, privateNote, type, releaseDate, slug, season, number } = episode;
  return {
    ...shared,
    id: String(id),
    name,
    description,
    privateNote: privateNote ?? '',
    type,
    publish: 'keep',
    releaseLocal: releaseDate ? toWallClock(releaseDate, timeZone) : '',
    slug,
    season: season === null ? '' : String(season),
    number: number === null ? '' : String(number),
    ...flagTexts(episode),
  };
}

function flagTexts(episode: Record<EpisodeFlag, boolean> | null): FormValues {
  return Object.fromEntries(EPISODE_FLAGS.map((flag) => [flag, episode?.[flag] ? 'on' : 'false']));
}

/** What is wrong with the chosen moment, as the server will say; five minutes of slack (product decisions). */
export function releaseErrors(values: FormValues, t: Translate, now: number): FieldErrors {
  if (values.publish === 'keep') return {};
  const chosen = releaseChoice.safeParse(values);
  if (!chosen.success) return { releaseDate: t('episode.date_invalid') };
  const tooEarly = chosen.data && chosen.data.getTime() < now - EPISODE_LIMITS.pastSlack;
  return tooEarly ? { releaseDate: t('episode.publish_time_in_past') } : {};
}

/** The moment that a form chose, for its procedure: `undefined` leaves it as it is, `null` is now. */
export function chosenReleaseDate(values: FormValues): Date | null | undefined {
  return values.publish === 'keep' ? undefined : releaseChoice.parse(values);
}
