import type { Language } from '~/locales/languages';
import { appName } from '../../agents/classify';
import { countryName, formatDate, formatNumber, type Locale } from '../../base/formats';
import { monthBounds } from '../../base/time';
import { REPORT_LIMITS } from '../../limits/statistics';
import type { MonthFigures, MonthOfPlays, ShowMonth } from './month-figures';
import { changeOf, OTHER, percentOf, type Slice } from './rules';

type Translate = (key: string, params?: Record<string, string | number>) => string;
export type Texts = { t: Translate; language: Language; locale: Locale };

/** Fewer days are no line. */
const CHART_FROM_DAYS = 3;

/** A report as data: its PDF draws it, and its email tells the first part. */
export type ReportText = { month: string; title: string; creator: string; parts: ReportPart[]; note: string };
/** `chart`: plays by day; `before` has the days of the month before. */
export type ReportPart = {
  title: string | null;
  figures: { label: string; value: string }[];
  sentences: string[];
  chart: { title: string; labels: string[]; values: number[]; before: number[]; legend: string[] } | null;
  bars: { title: string; rows: { name: string; text: string; value: number }[] }[];
};

type Known = { figures: MonthFigures; creator: string };

/** The month in plain sentences, first of all shows together and then of each. */
export function reportText({ figures, creator }: Known, texts: Texts): ReportText {
  const { month, shows, otherShows } = figures;
  const { t, locale } = texts;
  const others = { count: otherShows, number: formatNumber(otherShows, locale) };
  const isOfOneShow = shows.length === 1 && otherShows === 0;
  const [only] = shows;
  return {
    ...{ month, title: t('mail:report.title', { month: monthName(month, locale) }), creator },
    parts: isOfOneShow
      ? [withPlaces(showPart(only!, figures, texts), figures, texts)]
      : [withPlaces(allPart(figures, texts), figures, texts), ...shows.map((show) => showPart(show, figures, texts))],
    note: [...(otherShows > 0 ? [t('mail:report.others', others)] : []), t('mail:report.note')].join(' '),
  };
}

/** `November 2026` */
export const monthName = (month: string, locale: Locale): string =>
  formatDate(monthBounds(month)[0], locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });

function allPart(figures: MonthFigures, texts: Texts): ReportPart {
  const { all, month } = figures;
  const { t, locale } = texts;
  if (all.days.length === 0) {
    const nothing = t('mail:report.notCounted', { month: monthName(month, locale) });
    return { title: null, figures: [], sentences: [nothing], chart: null, bars: [] };
  }
  return {
    title: null,
    figures: playFigures(all, texts),
    sentences: [
      playsSentence(all, figures, texts),
      ...sinceSentence(figures, texts),
      ...changeSentence(all, figures, texts),
      ...bestDay(all, texts),
    ],
    chart: chartOf(all, figures, texts),
    bars: figures.shows.length > 1 ? [showBars(figures, { t, locale })] : [],
  };
}

function showBars({ shows }: MonthFigures, { t, locale }: Pick<Texts, 't' | 'locale'>) {
  const rows = shows.slice(0, REPORT_LIMITS.slices).map(({ name, days }) => ({ name, value: sumOf(days) }));
  const written = rows.map((row) => ({ ...row, text: formatNumber(row.value, locale) }));
  return { title: t('mail:report.shows'), rows: written };
}

function showPart(show: ShowMonth, figures: MonthFigures, texts: Texts): ReportPart {
  const { t, locale } = texts;
  const { listenersPerDay: listeners, released, best } = show;
  const number = (value: number) => formatNumber(value, locale);
  return {
    title: show.name,
    figures: [
      ...playFigures(show, texts),
      ...(listeners === null ? [] : [{ label: t('mail:report.listenersLabel'), value: number(listeners) }]),
      { label: t('mail:report.releasedLabel'), value: number(released) },
    ],
    sentences: [
      playsSentence(show, figures, texts),
      ...sinceSentence(figures, texts),
      ...changeSentence(show, figures, texts),
      ...bestDay(show, texts),
      ...(best ? [t('mail:report.best', { episode: best.name, count: best.plays, number: number(best.plays) })] : []),
      ...(listeners === null ? [] : [listenersSentence(listeners, texts)]),
      released === 0
        ? t('mail:report.releasedNone')
        : t('mail:report.released', { count: released, number: number(released) }),
    ],
    chart: chartOf(show, figures, texts),
    bars: [],
  };
}

const listenersSentence = (count: number, { t, locale }: Texts): string =>
  count === 0
    ? t('mail:report.listenersFew')
    : t('mail:report.listeners', { count, number: formatNumber(count, locale) });

/** Countries and apps of all shows together. */
function withPlaces(part: ReportPart, { countries, apps }: MonthFigures, texts: Texts): ReportPart {
  const dimensions = [
    { name: 'country', slices: countries, nameOf: (key: string) => countryName(key, texts.language) },
    { name: 'app', slices: apps, nameOf: appName },
  ] as const;
  return {
    ...part,
    sentences: [...part.sentences, ...dimensions.flatMap((dimension) => largestSentence(dimension, texts))],
    bars: [...part.bars, ...dimensions.flatMap((dimension) => barsOf(dimension, texts))],
  };
}

type Named = { name: 'country' | 'app'; slices: Slice[]; nameOf: (key: string) => string };

const isVague = (key: string): boolean => key === OTHER || key === 'unknown' || key === 'ZZ';
const sumOf = (values: readonly { plays: number }[]): number => values.reduce((sum, { plays }) => sum + plays, 0);

/** Where most plays came from, unless most are of unknown origin. */
function largestSentence({ name, slices, nameOf }: Named, { t, locale }: Texts): string[] {
  const largest = slices.find(({ key }) => !isVague(key));
  if (!largest) return [];
  const all = sumOf(slices);
  const percent = percentOf(largest.plays, all);
  const value = { name: nameOf(largest.key), number: formatNumber(largest.plays, locale) };
  if (percent !== null) return [t(`mail:report.${name}Percent`, { ...value, percent: formatNumber(percent, locale) })];
  return [t(`mail:report.${name}Few`, { ...value, count: all, all: formatNumber(all, locale) })];
}

function barsOf({ name, slices, nameOf }: Named, { t, locale }: Texts): ReportPart['bars'] {
  if (!slices.some(({ key }) => !isVague(key))) return [];
  const shown = slices.filter(({ key }) => key !== OTHER).slice(0, REPORT_LIMITS.slices);
  const rest = sumOf(slices) - sumOf(shown);
  const nameFor = (key: string) => (isVague(key) ? t('mail:report.unknown') : nameOf(key));
  const rows = [
    ...shown.map(({ key, plays }) => ({ name: nameFor(key), value: plays })),
    ...(rest > 0 ? [{ name: t('mail:report.otherSlices'), value: rest }] : []),
  ];
  return [
    {
      title: t(`mail:report.${name}Title`),
      rows: rows.map((row) => ({ ...row, text: formatNumber(row.value, locale) })),
    },
  ];
}

function playFigures({ days, before }: MonthOfPlays, { t, locale }: Texts): ReportPart['figures'] {
  return [
    { label: t('mail:report.playsLabel'), value: formatNumber(sumOf(days), locale) },
    ...(before ? [{ label: t('mail:report.beforeLabel'), value: formatNumber(total(before), locale) }] : []),
  ];
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function playsSentence({ days }: MonthOfPlays, { month }: MonthFigures, { t, locale }: Texts): string {
  const plays = sumOf(days);
  const number = formatNumber(plays, locale);
  return t('mail:report.plays', { count: plays, number, month: monthName(month, locale) });
}

function sinceSentence({ since }: MonthFigures, { t, locale }: Texts): string[] {
  return since === null ? [] : [t('mail:report.since', { day: monthDay(since, locale) })];
}

/** `5 November` */
const monthDay = (day: string, locale: Locale): string =>
  formatDate(new Date(`${day}T00:00:00Z`), locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });

function changeSentence({ days, before }: MonthOfPlays, { monthBefore }: MonthFigures, { t, locale }: Texts): string[] {
  if (!before) return [];
  const { kind, by } = changeOf({ now: sumOf(days), before: total(before) });
  const number = formatNumber(by, locale);
  return [t(`mail:report.change.${kind}`, { number, percent: number, month: monthName(monthBefore, locale) })];
}

function bestDay({ days }: MonthOfPlays, { t, locale }: Texts): string[] {
  const [best] = [...days].sort((a, b) => b.plays - a.plays);
  if (!best || best.plays === 0) return [];
  const day = monthDay(best.day, locale);
  return [t('mail:report.bestDay', { day, count: best.plays, number: formatNumber(best.plays, locale) })];
}

function chartOf(
  { days, before }: MonthOfPlays,
  { month, monthBefore }: MonthFigures,
  { t, locale }: Texts,
): ReportPart['chart'] {
  if (days.length < CHART_FROM_DAYS) return null;
  return {
    title: t('mail:report.chart'),
    labels: days.map(({ day }) => String(Number(day.slice(8)))),
    values: days.map(({ plays }) => plays),
    before: before ?? [],
    legend: [monthName(month, locale), ...(before ? [monthName(monthBefore, locale)] : [])],
  };
}
