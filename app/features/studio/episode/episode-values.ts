import type { FieldErrors, FormValues } from '~/app/lib/check-form';
import type { EpisodeStatus, EpisodeType, Person } from '~/db/values/episodes';
import type { Translate } from '~/locales/translate';
import { isTimeZone, toWallClock } from '~/server/base/time';
import { EPISODE_FLAGS, type EpisodeFlag, readRelease, typeOfNew } from '~/server/domain/episodes/rules';
import type { KindName } from '~/server/domain/products/kinds';
import { EPISODE_LIMITS } from '~/server/limits/episodes';
import { peopleValues } from './people-values';

export type EditedEpisode = {
  id: number;
  name: string;
  writtenDescription: string | null;
  privateNote: string | null;
  type: EpisodeType;
  status: EpisodeStatus;
  releaseDate: Date | null;
  isHeld: boolean;
  sendEmail: boolean;
  slug: string;
  season: number | null;
  number: number | null;
  people: Person[];
  hasOwnCover: boolean;
  picture: string;
} & Record<EpisodeFlag, boolean>;

type Suggested = { type?: EpisodeType; people?: Person[] };

/** The form's initial values. Times are wall-clock times in the creator's time zone. `suggested`: for a new episode. */
export function initialEpisodeValues(
  product: { id: number; kind: KindName; isFree: boolean },
  episode: EditedEpisode | null,
  { timeZone, suggested = {} }: { timeZone: string; suggested?: Suggested },
): FormValues {
  const times = { timeZone, releaseDate: '', releaseMoment: '' };
  const shared = { kind: product.kind, fileKey: '', coverKey: '', ...times };
  if (!episode) {
    const blank = { name: '', description: '', privateNote: '', slug: '', season: '', number: '', releaseLocal: '' };
    const people = peopleValues(suggested.people ?? []);
    return {
      ...shared,
      ...blank,
      ...people,
      ...flagValues(null),
      productId: String(product.id),
      type: suggested.type ?? typeOfNew(product),
      sendEmail: 'on',
      publish: 'now',
    };
  }
  const { id, name, writtenDescription, privateNote, type, releaseDate, slug, season, number, sendEmail } = episode;
  return {
    ...shared,
    id: String(id),
    name,
    description: writtenDescription ?? '',
    privateNote: privateNote ?? '',
    type,
    publish: 'keep',
    releaseLocal: releaseDate ? toWallClock(releaseDate, timeZone) : '',
    releaseMoment: releaseDate?.toISOString() ?? '',
    slug,
    season: season === null ? '' : String(season),
    number: number === null ? '' : String(number),
    sendEmail: sendEmail ? 'on' : 'false',
    ...peopleValues(episode.people),
    ...flagValues(episode),
  };
}

function flagValues(episode: Record<EpisodeFlag, boolean> | null): FormValues {
  return Object.fromEntries(EPISODE_FLAGS.map((flag) => [flag, episode?.[flag] ? 'on' : 'false']));
}

const RELEASE = ['releaseDate'];
/** The fields that decide whether the release time has an error. */
export const RELEASE_ERRORS = { publish: RELEASE, releaseLocal: RELEASE, releaseMoment: RELEASE, timeZone: RELEASE };

/** The release that a form has. An unknown time zone is a problem of its field. */
export function releaseIn(values: FormValues) {
  const { publish = 'now', timeZone = 'UTC', releaseLocal, releaseMoment } = values;
  if (!isTimeZone(timeZone)) return { problem: 'field.invalid' };
  return readRelease({ publish, timeZone, releaseLocal, releaseMoment });
}

/** Checks the chosen time like the server, with five minutes of tolerance. */
export function releaseErrors(values: FormValues, t: Translate, now: number): FieldErrors {
  if (values.publish === 'keep') return {};
  const release = releaseIn(values);
  if ('problem' in release) return { releaseDate: t(release.problem) };
  const tooEarly = release.at && release.at.getTime() < now - EPISODE_LIMITS.pastSlack;
  return tooEarly ? { releaseDate: t('episode.publish_time_in_past') } : {};
}

/** The release date in a preview of the public page. `open`: the form leaves it undecided. */
export function previewedRelease(values: FormValues, current: Date | null): Date | 'today' | 'open' {
  if (values.publish === 'now') return 'today';
  if (values.publish === 'later') {
    const release = releaseIn(values);
    return ('at' in release && release.at) || 'open';
  }
  return (values.publish === 'keep' && current) || 'open';
}
