import { shorten } from '~/app/components/charts/scale';
import type { Translate } from '~/locales/translate';
import { formatNumber, type Locale } from '~/server/base/formats';

/** What fits above a chart on a phone. */
const NOTE_COLUMNS = 40;

/** The note at a step of a chart in which these episodes were released. */
export function releaseNote(t: Translate, names: string[], locale: Locale): string | undefined {
  const [first] = names;
  if (first === undefined) return undefined;
  const name = shorten(first, NOTE_COLUMNS);
  const more = names.length - 1;
  return more === 0 ? name : t('evolution.more', { name, count: more, number: formatNumber(more, locale) });
}
