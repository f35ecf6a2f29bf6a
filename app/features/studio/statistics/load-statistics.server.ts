import { type Door, isData } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { DIMENSIONS, type Dimension } from '~/db/values/statistics';
import type { Translate } from '~/locales/translate';
import { countryName } from '~/server/base/formats';
import { dayIn } from '~/server/base/time';
import type { EpisodeStatistics } from '~/server/domain/statistics/episode-statistics';
import type { PeriodStatistics } from '~/server/domain/statistics/period-statistics';
import type { CreatorStatistics, ShowStatistics } from '~/server/domain/statistics/show-statistics';
import type { PageOfStatistics } from './figures-of-period';
import { type MetricQuery, metricQuery } from './metric-query';
import type { FilterChoice } from './period-bar';
import type { NamedSlice, StatisticsView } from './view';

type Read = CreatorStatistics | ShowStatistics | EpisodeStatistics;
type Loaded<T> = { statistics: T; query: MetricQuery; problem: string | null };

/** The figures that an address names. An impossible period is named, and the usual one shown. */
export async function loadStatistics<T extends Read>(
  { url, context }: Door,
  read: (query: MetricQuery) => Promise<T>,
): Promise<Loaded<T>> {
  const query = metricQuery(url.searchParams);
  try {
    return { statistics: await read(query), query, problem: null };
  } catch (error) {
    if (error instanceof Response || isData(error)) throw error;
    const { kind, fields, message } = context.describeError(error);
    if (kind !== 'invalid' || Object.keys(query).length === 0) throw error;
    return { statistics: await read({}), query: {}, problem: Object.values(fields).flat()[0] ?? message };
  }
}

/** What a page shows of figures: with names, choices of the form, and the reader's day. */
export async function pageOfStatistics(door: Door, loaded: Loaded<Read>): Promise<PageOfStatistics> {
  const { statistics, query, problem } = loaded;
  const view = toView(statistics, door.context);
  const choicesOf = (dimension: 'country' | 'app') =>
    choicesFor(view, dimension, chosenName(dimension, query, door.context));
  return {
    view,
    query,
    problem,
    filters: 'filters' in statistics ? { country: choicesOf('country'), app: choicesOf('app') } : null,
    zones: await zonesFor(door, view),
  };
}

export function toView(statistics: Read, { language, clientNames }: Door['context']): StatisticsView {
  const t = translator(language, 'statistics');
  const names = { t, language, clientNames };
  const { since, period, before, totals, totalsBefore, evolution, evolutionBefore, week, breakdown, asOf } = statistics;
  const named = (dimension: Dimension) =>
    breakdown[dimension]?.map((slice) => ({ ...slice, name: nameOf(dimension, slice.key, names) })) ?? null;
  return {
    ...{ since, period, before, totals, totalsBefore, evolution, evolutionBefore, week },
    today: dayIn(asOf, period.zone),
    releases: 'releases' in statistics ? statistics.releases : [],
    changes: 'changes' in statistics ? statistics.changes : [],
    breakdown: Object.fromEntries(
      DIMENSIONS.map((dimension) => [dimension, named(dimension)]),
    ) as StatisticsView['breakdown'],
    breakdownPeriod: 'breakdownPeriod' in statistics ? statistics.breakdownPeriod : null,
    imported: 'imported' in statistics ? statistics.imported : { since: null, series: [] },
    machines: 'machines' in statistics ? machinesOf(t, statistics.machines) : null,
  };
}

function machinesOf(
  t: Translate,
  { requests, reasons, agents }: PeriodStatistics['machines'],
): StatisticsView['machines'] {
  return {
    requests,
    reasons: reasons.map((slice): NamedSlice => ({ ...slice, name: t(`machine.${slice.key}`) })),
    agents: agents.map((slice): NamedSlice => ({ ...slice, name: slice.key === 'other' ? t('others') : slice.key })),
  };
}

type Names = { t: Translate } & Pick<Door['context'], 'language' | 'clientNames'>;

/** The name of a value in the reader's language. */
const NAMES: Record<Dimension, (key: string, names: Names) => string> = {
  country: (key, { language }) => countryName(key, language),
  region: (key, { clientNames }) => clientNames.region(key),
  app: (key, { clientNames }) => clientNames.app(key),
  device: (key, { t }) => t(`device.${key}`),
  os: (key, { clientNames }) => clientNames.os(key),
  source: (key, { t }) => t(`source.${key}`),
  referrer: (key, { clientNames }) => clientNames.referrer(key),
};

function nameOf(dimension: Dimension, key: string, names: Names): string {
  if (key === 'other' && dimension !== 'source') return names.t('others');
  if (key === 'unknown' || key === 'ZZ') return names.t('unknown');
  return NAMES[dimension](key, names);
}

/** The chosen value is a choice, too, where it has no plays. */
function chosenName(dimension: 'country' | 'app', query: MetricQuery, context: Door['context']): FilterChoice | null {
  const value = query[dimension];
  if (value === undefined) return null;
  const t = translator(context.language, 'statistics');
  return { value, label: nameOf(dimension, value, { ...context, t }) };
}

/** Values that can be filtered by, in the order of their plays. */
function choicesFor({ breakdown }: StatisticsView, dimension: Dimension, chosen: FilterChoice | null): FilterChoice[] {
  const known = (breakdown[dimension] ?? [])
    .filter(({ key }) => !['other', 'unknown', 'ZZ'].includes(key))
    .map(({ key, name }) => ({ value: key, label: name }));
  return chosen === null || known.some(({ value }) => value === chosen.value) ? known : [chosen, ...known];
}

/** The creator's zone, UTC and the chosen one; all of them on demand. */
async function zonesFor({ url, api }: Door, { period }: StatisticsView): Promise<PageOfStatistics['zones']> {
  if (url.searchParams.get('zones') === 'all') return { choices: await api.reference.timeZones(), hasAll: true };
  const { creator } = await api.accounts.me();
  const names = [...new Set([creator?.timeZone ?? 'UTC', period.zone, 'UTC'])];
  return { choices: names.map((value) => ({ value, label: value.replaceAll('_', ' ') })), hasAll: false };
}
