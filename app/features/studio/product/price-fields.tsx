import { CheckField, ChoiceField, SelectField, TextField } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { useMay, useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { useHydrated } from '~/app/lib/use-hydrated';
import { numberFormat } from '~/server/base/formats';
import { CURRENCIES, formatMoney } from '~/server/base/money';
import { commissionOn } from '~/server/domain/plans/rules';
import { KINDS } from '~/server/domain/products/kinds';
import { PRICE_LIMITS } from '~/server/limits/billing';
import { PLANS } from '~/server/limits/plans';
import { PRODUCT_LIMITS } from '~/server/limits/products';
import { BenefitsField } from './benefits-field';
import { hasYearlyPrice, isPaid, kindOf, pricesIn, yearlySaving } from './price-values';
import classes from './product.module.css';
import settings from './settings.module.css';

/** The prices of a show. Only some roles may change them; other members see them. */
export function PriceFields() {
  const may = useMay();
  return may('product.price') ? <EditedPrices /> : <FixedPrices />;
}

function FixedPrices() {
  const { t, locale } = useTranslation('product');
  const { values } = useFormState();
  const isNew = values.id === undefined;
  const { priceMinor = null, annualPriceMinor = null, currency = CURRENCIES[0] } = pricesIn(values)?.prices ?? {};
  const amount = (minor: number) => formatMoney({ minor, currency }, locale);
  const { sale } = KINDS[kindOf(values)];
  return (
    <>
      <dl className={classes.fixedPrices}>
        <dt>{t(priceMinor === null ? 'price.question' : `price.amount.${sale}`)}</dt>
        <dd>{priceMinor === null ? t('price.free') : amount(priceMinor)}</dd>
        {annualPriceMinor !== null && (
          <>
            <dt>{t('price.annual')}</dt>
            <dd>{amount(annualPriceMinor)}</dd>
          </>
        )}
      </dl>
      <p className={classes.note}>{t(isNew ? 'price.ownerSets' : 'price.ownerChanges')}</p>
      {priceMinor !== null && (
        <>
          <BenefitsField />
          <HideField />
        </>
      )}
    </>
  );
}

/**
 * Free, or a price: monthly and yearly for podcasts, once for audio series. Without JavaScript, all amounts are shown.
 */
function EditedPrices() {
  const { t } = useTranslation('product');
  const { values, errors } = useFormState();
  const isHydrated = useHydrated();
  const { sale } = KINDS[kindOf(values)];
  const isShown = !isHydrated || isPaid(values) || errors.price || errors.annualPrice;
  return (
    <>
      <ChoiceField
        name="planType"
        label={t('price.question')}
        options={[
          { value: 'free', label: t('price.free'), help: t('price.freeHelp') },
          { value: 'paid', label: t('price.paid'), help: t(`price.paidHelp.${sale}`) },
        ]}
      />
      {isShown && <Amounts />}
    </>
  );
}

function Amounts() {
  const { t } = useTranslation('product');
  const { values } = useFormState();
  const isHydrated = useHydrated();
  const isNew = values.id === undefined;
  const { sale } = KINDS[kindOf(values)];
  const boundsOf = useBounds();
  return (
    <div className={classes.amounts}>
      <div className={classes.amountRow}>
        <TextField
          name="price"
          label={t(`price.amount.${sale}`)}
          help={boundsOf(sale === 'subscription' ? 'monthly' : 'oneTime')}
          inputMode="decimal"
          autoComplete="off"
        />
        <SelectField
          name="currency"
          label={t('price.currency')}
          choices={CURRENCIES.map((value) => ({ value, label: value.toUpperCase() }))}
        />
      </div>
      {(hasYearlyPrice(values) || (!isHydrated && isNew)) && (
        <div>
          <TextField
            name="annualPrice"
            label={t('price.annual')}
            help={t('price.annualHelp', { bounds: boundsOf('yearly') })}
            inputMode="decimal"
            autoComplete="off"
          />
          <Saving />
        </div>
      )}
      <Kept />
      <p className={classes.note}>{t(`price.access.${sale}`)}</p>
      <BenefitsField />
      <CheckField name="paysWhatTheyWant" label={t('price.want')} help={t('price.wantHelp')} />
      {(hasYearlyPrice(values) || (!isHydrated && isNew)) && (
        <TextField
          name="trialDays"
          label={t('price.trial')}
          help={t('price.trialHelp', { most: PRODUCT_LIMITS.trialDays })}
          inputMode="numeric"
          autoComplete="off"
        />
      )}
      <HideField />
    </div>
  );
}

function HideField() {
  const { t } = useTranslation('product');
  return <CheckField name="hideSubscribeButton" label={t('price.hide')} help={t('price.hideHelp')} />;
}

/** `€1.00 to €500.00`, in the chosen currency. */
function useBounds() {
  const { t, locale } = useTranslation('product');
  const { values } = useFormState();
  const currency = CURRENCIES.find((known) => known === values.currency) ?? CURRENCIES[0];
  return (name: keyof typeof PRICE_LIMITS) => {
    const { minMinor, maxMinor } = PRICE_LIMITS[name];
    const amount = (minor: number) => formatMoney({ minor, currency }, locale);
    return t('price.bounds', { min: amount(minMinor), max: amount(maxMinor) });
  };
}

/** What is left of each amount after our commission, by the rule that sales apply. */
function Kept() {
  const { t, locale } = useTranslation('product');
  const { values, errors } = useFormState();
  const plan = PLANS[useStudio().user.plan.inForce];
  const { priceMinor = null, annualPriceMinor = null, currency = CURRENCIES[0] } = pricesIn(values)?.prices ?? {};
  if (priceMinor === null || errors.price || errors.annualPrice) return null;
  const money = (minor: number) => formatMoney({ minor, currency }, locale);
  const kept = (minor: number) => ({ kept: money(minor - commissionOn(plan, minor)), price: money(minor) });
  const { basisPoints, fixedMinor } = plan.commission;
  const percent = numberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  return (
    <p className={settings.kept}>
      {t('price.kept', kept(priceMinor))} {annualPriceMinor !== null && t('price.keptYearly', kept(annualPriceMinor))}
      <span>{t('price.commission', { percent: percent.format(basisPoints / 10_000), fixed: money(fixedMinor) })}</span>
    </p>
  );
}

/** The saving of a yearly price over twelve monthly ones, as visitors will read it. */
function Saving() {
  const { t } = useTranslation('product');
  const { values, errors } = useFormState();
  const saving = errors.price || errors.annualPrice ? null : yearlySaving(values);
  if (saving === null) return null;
  return (
    <p className={classes.saving} role="status" data-none={saving.percent === 0 || undefined}>
      {t(saving.key, { percent: saving.percent })}
    </p>
  );
}
