import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';
import type { ShowTotals } from '~/server/domain/episodes/show-totals';
import { KINDS } from '~/server/domain/products/kinds';
import { lengthText, TELLING_LENGTH_MS } from './length-text.server';
import type { ApiProduct } from './page-data.server';

/** What buyers of a show get: the creator's own words, otherwise what the show has. */
export function benefitsOf(product: ApiProduct, totals: ShowTotals, language: Language) {
  if (product.benefits.length > 0) return { list: product.benefits, areOwnWords: true };
  return { list: suggested(product, totals, language), areOwnWords: false };
}

function suggested(product: ApiProduct, totals: ShowTotals, language: Language): string[] {
  const t = translator(language, 'offer');
  const { kind, earlyAccessDays, dripDays, insertionFreeSince, creator } = product;
  const { sale } = KINDS[kind];
  const isBought = sale === 'purchase';
  const { episodes, durationMs } = isBought ? totals.all : totals.private;
  const counted = { count: episodes, length: lengthText(durationMs, language) };
  const drip = { count: dripDays };
  return [
    ...(episodes > 0
      ? [t(`benefit.${isBought ? 'parts' : 'private'}${durationMs < TELLING_LENGTH_MS ? 'Short' : ''}`, counted)]
      : []),
    ...(earlyAccessDays > 0 ? [t('benefit.early', { count: earlyAccessDays })] : []),
    ...(dripDays > 0 ? [isBought ? t('benefit.partsDrip', drip) : t('benefit.drip', drip)] : []),
    ...(insertionFreeSince ? [t('benefit.noInsertions')] : []),
    t('benefit.app'),
    isBought ? t('benefit.keep') : t('benefit.support', { name: creator.name }),
  ];
}
