import type { Reader } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { formatNumber } from '~/server/base/formats';
import type { ShowTotals } from '~/server/domain/episodes/show-totals';
import { lengthText, TELLING_LENGTH_MS } from './length-text.server';
import { type ApiProduct, isInParts } from './page-data.server';

/** A number and what it counts, such as `12` and `parts`. */
export type ShownNumber = { value: string; of: string };

type Shown = { product: ApiProduct; totals: ShowTotals; plays: number | null };

/** A show at a glance: its episodes, their length, those of a paid show that are free, and its plays if they are public. */
export function numbersOf({ product, totals, plays }: Shown, { language, locale }: Reader): ShownNumber[] {
  const { episodes, durationMs } = totals.all;
  if (episodes === 0) return [];
  const t = translator(language, 'offer');
  const counted = (key: string, count: number) => ({
    value: formatNumber(count, locale),
    of: t(`numbers.${key}`, { count }),
  });
  const free = product.isFree ? 0 : totals.open.episodes;
  return [
    counted(isInParts(product) ? 'parts' : 'episodes', episodes),
    // some minutes say less about a show than its number of episodes
    ...(durationMs >= TELLING_LENGTH_MS ? [{ value: lengthText(durationMs, language), of: t('numbers.length') }] : []),
    ...(free > 0 ? [counted('free', free)] : []),
    ...(plays ? [{ value: `${formatNumber(plays, locale)}+`, of: t('numbers.plays') }] : []),
  ];
}
