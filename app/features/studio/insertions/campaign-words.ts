import type { Tone } from '~/app/components/pill';
import type { Language } from '~/locales/languages';
import type { Translate } from '~/locales/translate';
import { countryName, formatDate, formatNumber, type Locale } from '~/server/base/formats';
import type { CampaignView } from '~/server/domain/insertions/campaign-list';
import type { CampaignState } from '~/server/domain/insertions/rules';

export const TONES: Record<CampaignState, Tone> = {
  draft: 'plain',
  preparing: 'waiting',
  scheduled: 'coming',
  running: 'good',
  paused: 'plain',
  ended: 'plain',
  failed: 'bad',
};

/** A day without a time, such as `2026-11-27`, as the reader writes it. */
export const dayText = (day: string, locale: Locale): string =>
  formatDate(new Date(`${day}T00:00:00Z`), locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** Why a failed campaign isn't heard, and what to do. Only the other creator can replace the sound of a promo. */
export const failureText = (
  { kind, failureReason }: Pick<CampaignView, 'kind' | 'failureReason'>,
  { t, tError }: { t: Translate; tError: (code: string) => string },
): string => (failureReason ? tError(failureReason) : t(kind === 'promo' ? 'failedPromo' : 'failedText'));

/** `27 Nov`, below a chart. */
export const shortDayText = (day: string, locale: Locale): string =>
  formatDate(new Date(`${day}T00:00:00Z`), locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `Before the episode`, or `Mid-roll 2`. */
export const placeText = ({ place, number }: Pick<CampaignView, 'place' | 'number'>, t: Translate): string =>
  t(`place.${place}`, { number });

/** `20 Nov 2026 – 30 Nov 2026`; an open end is named. */
export function daysText(
  { kind, firstDay, lastDay }: Pick<CampaignView, 'kind' | 'firstDay' | 'lastDay'>,
  t: Translate,
  locale: Locale,
): string {
  if (firstDay === null) return t(kind === 'fallback' ? 'days.always' : 'days.none');
  const from = dayText(firstDay, locale);
  return lastDay === null ? t('days.from', { from }) : t('days.both', { from, to: dayText(lastDay, locale) });
}

export const countriesText = (codes: readonly string[], language: Language): string =>
  codes.map((code) => (/^[A-Z]{2}$/.test(code) ? countryName(code, language) : code)).join(', ');

/** `300 ms before · 500 ms after`; null without silence. */
export function silenceText(
  { silenceBeforeMs, silenceAfterMs }: Pick<CampaignView, 'silenceBeforeMs' | 'silenceAfterMs'>,
  t: Translate,
): string | null {
  const parts = [
    ...(silenceBeforeMs > 0 ? [t('silence.before', { count: silenceBeforeMs })] : []),
    ...(silenceAfterMs > 0 ? [t('silence.after', { count: silenceAfterMs })] : []),
  ];
  return parts.join(' · ') || null;
}

type Chosen = Pick<CampaignView, 'selection' | 'selectionDay' | 'chosen'>;

export function episodesText({ selection, selectionDay, chosen }: Chosen, t: Translate, locale: Locale): string {
  const day = selectionDay ? dayText(selectionDay, locale) : '';
  return t(`episodes.${selection}`, { count: chosen, day });
}

export function impressionsText({ impressions, cap }: CampaignView, t: Translate, locale: Locale): string {
  const number = formatNumber(impressions, locale);
  return cap === null
    ? t('impressions', { count: impressions, number })
    : t('impressionsOf', { count: cap, number, cap: formatNumber(cap, locale) });
}

const DOORS = ['inPublicFeed', 'inPrivateFeeds', 'inWebPlayer'] as const;
/** The doors through which listeners hear it. */
export const doorsText = (campaign: Pick<CampaignView, (typeof DOORS)[number]>, t: Translate): string =>
  DOORS.filter((door) => campaign[door])
    .map((door) => t(`form.${door}`))
    .join(' · ');
