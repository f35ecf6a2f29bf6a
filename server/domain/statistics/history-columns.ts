import type { HistoryHost } from '~/db/values/imported-plays';
import { columnName } from '../../base/csv';

/** The columns of a file, by their places; undefined: not found or not chosen. `episode`: null for none. */
export type HistoryColumns = { date?: number; plays?: number; episode?: number | null };

const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Names of columns, the most precise first. A day of release says nothing about when people listened, so it is no date
 * here (docs/statistics-import.md).
 */
const DATES = words(`date day download_date downloads_date report_date stat_date date_utc time_utc utc_date period month
  year_month month_year time timestamp fecha dia mes periodo`);
const EPISODES = words(`episode episode_title episode_name item_title title episodio titulo titulo_del_episodio
  nombre_del_episodio audio`);
const DOWNLOADS = words(`downloads unique_downloads total_downloads iab_downloads download_count all_downloads
  descargas total_de_descargas descargas_unicas`);
const PLAYS = words(`plays total_plays play_count streams starts listens total_listens reproducciones escuchas
  total_escuchas oyentes_y_descargas hits count total`);

/** Words of columns that count something, also if it is not what we call plays. */
const COUNTED = words(`unique uniques downloads plays streams starts listens listeners hits descargas unicas
  reproducciones escuchas oyentes`);

/** What each host counts, the first of which is taken. */
const MEASURES: Record<HistoryHost, string[]> = {
  transistor: DOWNLOADS,
  buzzsprout: DOWNLOADS,
  libsyn: words('unique_downloads iab_downloads').concat(DOWNLOADS),
  podbean: DOWNLOADS,
  spotify: words('streams plays total_plays starts'),
  ivoox: words('escuchas total_escuchas descargas listens').concat(PLAYS),
  apple: words('plays play_count'),
  other: [],
};

/** The columns that the names of a file tell. Of an unknown host, several figures leave the choice to the creator. */
export function findColumns(names: readonly string[], host: HistoryHost): HistoryColumns {
  const known = names.map(columnName);
  const placeOf = (candidates: readonly string[]) => {
    const name = candidates.find((candidate) => known.includes(candidate));
    return name === undefined ? undefined : known.indexOf(name);
  };
  const date = placeOf(DATES);
  const isUnclear = host === 'other' && known.filter(isFigure).length > 1;
  const plays = isUnclear ? undefined : placeOf([...MEASURES[host], ...DOWNLOADS, ...PLAYS]);
  const episode = placeOf(EPISODES);
  return { date, plays, episode: episode === date || episode === plays ? undefined : episode };
}

const isFigure = (name: string): boolean =>
  DOWNLOADS.includes(name) || PLAYS.includes(name) || name.split('_').some((word) => COUNTED.includes(word));

/** Only Apple's reports have columns that no other file has. */
export function guessHost(names: readonly string[]): HistoryHost {
  const known = names.map(columnName);
  if (['plays', 'unique_listeners', 'unique_engaged_listeners'].every((name) => known.includes(name))) return 'apple';
  return known.includes('streams') && known.includes('starts') ? 'spotify' : 'other';
}
