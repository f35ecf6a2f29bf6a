import { ChoiceField, SelectField, TextField } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { timeZoneName } from '~/app/lib/formats';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { useHydrated } from '~/app/lib/use-hydrated';
import { type Currency, formatMoney } from '~/server/base/money';
import { DISCOUNT_TYPES, DURATIONS } from '~/server/domain/coupons/kinds';
import { couponProblem, discountOf, readDiscount, termsOf } from '~/server/domain/coupons/rules';
import { KINDS, type KindName } from '~/server/domain/products/kinds';
import { COUPON_LIMITS } from '~/server/limits/coupons';
import classes from './sales.module.css';

/** A show with a price. */
export type SoldShow = {
  id: number;
  name: string;
  kind: KindName;
  priceMinor: number;
  annualPriceMinor: number | null;
  currency: Currency;
};

const INITIAL = {
  couponCode: '',
  discountType: 'percentage',
  discount: '',
  duration: 'once',
  months: '',
  redemptions: '',
  lastDay: '',
};

/** A form for a new coupon. Without JavaScript it shows all fields, and the server ignores those that don't apply. */
export function CouponForm({ shows, failure }: { shows: SoldShow[]; failure?: FormFailure }) {
  const { t } = useTranslation('coupons');
  return (
    <IntentForm
      intent="create"
      initial={{ ...INITIAL, productId: String(shows[0]?.id ?? '') }}
      failure={failure}
      submit={t('form.submit')}
    >
      <TextField
        name="couponCode"
        label={t('form.code')}
        help={t('form.codeHelp')}
        maxLength={COUPON_LIMITS.codeLength}
        autoComplete="off"
        spellCheck={false}
      />
      <SelectField
        name="productId"
        label={t('form.show')}
        choices={shows.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <ChoiceField
        name="discountType"
        label={t('form.type')}
        options={DISCOUNT_TYPES.map((value) => ({ value, label: t(`form.type.${value}`) }))}
      />
      <DiscountField shows={shows} />
      <DurationFields shows={shows} />
      <TextField
        name="redemptions"
        label={t('form.redemptions')}
        help={t('form.redemptionsHelp')}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextField
        name="lastDay"
        type="date"
        label={t('form.lastDay')}
        help={t('form.lastDayHelp', { zone: timeZoneName(useCreatorTimeZone()) })}
        autoComplete="off"
      />
    </IntentForm>
  );
}

function useShow(shows: SoldShow[]): SoldShow | undefined {
  const { values } = useFormState();
  return shows.find(({ id }) => String(id) === values.productId);
}

function DiscountField({ shows }: { shows: SoldShow[] }) {
  const { t } = useTranslation('coupons');
  const { values } = useFormState();
  const isHydrated = useHydrated();
  const currency = useShow(shows)?.currency.toUpperCase() ?? '';
  const unit = values.discountType === 'flat' ? t('form.amountIn', { currency }) : t('form.percentage');
  return (
    <>
      <TextField
        name="discount"
        label={isHydrated ? unit : t('form.discount')}
        help={t(values.discountType === 'flat' ? 'form.amountHelp' : 'form.percentageHelp')}
        inputMode="decimal"
        autoComplete="off"
      />
      <Preview shows={shows} />
    </>
  );
}

/** The price that buyers will pay, by the rule that the payment page uses. */
function Preview({ shows }: { shows: SoldShow[] }) {
  const { t, locale } = useTranslation('coupons');
  const { values } = useFormState();
  const show = useShow(shows);
  const discountType = DISCOUNT_TYPES.find((type) => type === values.discountType);
  const discount = readDiscount(values.discount ?? '');
  if (!show || !discountType || discount === null) return null;
  const terms = termsOf(show.kind, { discountType, discount, duration: 'once' });
  if (couponProblem(terms, show, locale)) return null;
  const amount = (minor: number) => formatMoney({ minor, currency: show.currency }, locale);
  const line = (key: string, price: number) =>
    t(key, { price: amount(price), discounted: amount(price - discountOf(terms, price)) });
  const { sale } = KINDS[show.kind];
  return (
    <p className={classes.amounts} role="status">
      {line(sale === 'purchase' ? 'preview.once' : 'preview.month', show.priceMinor)}
      {show.annualPriceMinor !== null && (
        <>
          <br />
          {line('preview.year', show.annualPriceMinor)}
        </>
      )}
    </p>
  );
}

/** Buyers pay for an audio series once, so a coupon for one applies once. */
function DurationFields({ shows }: { shows: SoldShow[] }) {
  const { t } = useTranslation('coupons');
  const { values, errors } = useFormState();
  const isHydrated = useHydrated();
  const show = useShow(shows);
  if (isHydrated && show && KINDS[show.kind].sale === 'purchase') return null;
  return (
    <>
      <ChoiceField
        name="duration"
        label={t('form.duration')}
        help={isHydrated ? undefined : t('form.durationOfSeries')}
        options={DURATIONS.map((value) => ({
          value,
          label: t(`form.duration.${value}`),
          help: t(`form.duration.${value}.help`),
        }))}
      />
      {(!isHydrated || values.duration === 'repeating' || errors.months) && (
        <TextField
          name="months"
          label={t('form.months')}
          help={t('form.monthsHelp', { max: COUPON_LIMITS.months })}
          inputMode="numeric"
          autoComplete="off"
        />
      )}
    </>
  );
}
