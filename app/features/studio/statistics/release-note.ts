import type { Column } from '~/app/components/charts/plot';
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

/** What a step of a chart says besides its value: released episodes, a correction, or both. */
export function noteOfStep(release: string | undefined, correction?: string): Pick<Column, 'note' | 'marks'> {
  if (release === undefined && correction === undefined) return {};
  return {
    note: [release, correction].filter((text) => text !== undefined).join(' · '),
    marks: [
      ...(release === undefined ? [] : ['event' as const]),
      ...(correction === undefined ? [] : ['correction' as const]),
    ],
  };
}
