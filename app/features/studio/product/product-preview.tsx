import { useFormState } from '~/app/components/form-context';
import { FeedIcon } from '~/app/components/icons';
import type { Transfer } from '~/app/features/studio/upload/transfer';
import { useObjectUrl } from '~/app/features/studio/upload/use-object-url';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';
import { KINDS } from '~/server/domain/products/kinds';
import classes from './preview.module.css';
import { kindOf, pricesIn, yearlySaving } from './price-values';
import { addressWith, slugInForm } from './slug-in-form';

/** The creator's data, as their pages show it. */
export type PreviewLook = { name: string; buttonColor: string | null };

type Props = { look: PreviewLook; cover: Transfer; base: string };

/** The show's public page on a phone, which follows the form. */
export function ProductPreview({ look, cover, base }: Props) {
  const { t } = useTranslation('product');
  const { values } = useFormState();
  const picture = useObjectUrl(cover.file);
  const description = values.description?.trim();
  return (
    <details className={classes.preview} open>
      <summary>{t('preview.label')}</summary>
      <div className={classes.phone}>
        <p className={classes.address}>{addressWith(base, slugInForm(values)).replace(/^https?:\/\//, '')}</p>
        <div
          className={classes.page}
          style={look.buttonColor ? ({ '--brand': look.buttonColor } as object) : undefined}
        >
          <p className={classes.creator}>{look.name}</p>
          {picture ? <img src={picture} alt="" /> : <span className={classes.cover}>{t('preview.cover')}</span>}
          <p className={classes.facts}>{t(`kind.${KINDS[kindOf(values)].noun}`)}</p>
          <p className={classes.name} data-empty={!values.name?.trim() || undefined}>
            {values.name?.trim() || t('preview.name')}
          </p>
          <p className={classes.by}>{t('preview.by', { name: look.name })}</p>
          <Price />
          <Action />
          <p className={classes.heading}>{t('preview.about')}</p>
          <p className={classes.text} data-empty={!description || undefined}>
            {description || t('preview.description')}
          </p>
        </div>
      </div>
    </details>
  );
}

/** Paid shows are sold, free ones are heard in an app. */
function Action() {
  const { t } = useTranslation('product');
  const { values } = useFormState();
  const isSold = (pricesIn(values)?.prices.priceMinor ?? null) !== null;
  return (
    <span className={classes.button}>
      {!isSold && <FeedIcon />}
      {isSold ? t(`preview.buy.${KINDS[kindOf(values)].sale}`) : t('preview.listen')}
    </span>
  );
}

function Price() {
  const { t, locale } = useTranslation('product');
  const { values } = useFormState();
  const prices = pricesIn(values)?.prices;
  if (!prices?.priceMinor) return null;
  const { priceMinor, annualPriceMinor, currency } = prices;
  const amount = (minor: number) => formatMoney({ minor, currency }, locale);
  const saving = yearlySaving(values);
  const { sale } = KINDS[kindOf(values)];
  return (
    <p className={classes.price}>
      <strong>{t(`preview.price.${sale}`, { amount: amount(priceMinor) })}</strong>
      {annualPriceMinor !== null && <span>{t('preview.annual', { amount: amount(annualPriceMinor) })}</span>}
      {saving?.key === 'price.saving' && <span>{t(saving.key, { percent: saving.percent })}</span>}
    </p>
  );
}
