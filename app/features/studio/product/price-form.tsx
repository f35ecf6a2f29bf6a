import { useMemo } from 'react';
import { TextField } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { HelpLink } from '~/app/components/help-link';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { useHydrated } from '~/app/lib/use-hydrated';
import type { Locale } from '~/server/base/formats';
import type { Currency } from '~/server/base/money';
import type { KindName } from '~/server/domain/products/kinds';
import { PRODUCT_LIMITS } from '~/server/limits/products';
import { PriceFields } from './price-fields';
import { checkPrices, isPaid, PRICE_ERRORS, priceValues } from './price-values';
import { flagValue, SettingsForm } from './settings-form';

type Product = {
  id: number;
  kind: KindName;
  priceMinor: number | null;
  annualPriceMinor: number | null;
  currency: Currency;
  hideSubscribeButton: boolean;
  paysWhatTheyWant: boolean;
  trialDays: number;
  benefits: string[];
  earlyAccessDays: number;
  dripDays: number;
};

/** What the show costs, and when people who pay can hear its episodes. */
export function PriceForm({ product, failure }: { product: Product; failure?: FormFailure }) {
  const { t: tError, locale } = useTranslation('errors');
  const initial = useMemo(() => valuesOf(product, locale), [product, locale]);
  return (
    <SettingsForm
      part="price"
      product={product}
      initial={initial}
      failure={failure}
      check={(values) => checkPrices(values, tError, locale)}
      sharedErrors={PRICE_ERRORS}
    >
      <HelpLink screen="price" />
      <PriceFields />
      <AccessFields />
    </SettingsForm>
  );
}

/** When people who pay can hear new public episodes, and the private ones. */
function AccessFields() {
  const { t } = useTranslation('product');
  const { values } = useFormState();
  const isHydrated = useHydrated();
  const { earlyAccessDays, dripDays } = PRODUCT_LIMITS;
  const days = { inputMode: 'numeric', autoComplete: 'off' } as const;
  if (isHydrated && !isPaid(values)) return null;
  return (
    <>
      <TextField
        name="earlyAccessDays"
        label={t('feed.early')}
        help={t('feed.earlyHelp', { most: earlyAccessDays })}
        {...days}
      />
      <TextField name="dripDays" label={t('feed.drip')} help={t('feed.dripHelp', { most: dripDays })} {...days} />
    </>
  );
}

function valuesOf(product: Product, locale: Locale) {
  return {
    ...priceValues(product, product.currency, locale),
    hideSubscribeButton: flagValue(product.hideSubscribeButton),
    paysWhatTheyWant: flagValue(product.paysWhatTheyWant),
    trialDays: String(product.trialDays),
    benefits: product.benefits.join('\n'),
    earlyAccessDays: String(product.earlyAccessDays),
    dripDays: String(product.dripDays),
  };
}
