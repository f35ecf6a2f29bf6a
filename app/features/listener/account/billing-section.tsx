import { useMemo } from 'react';
import { TextField } from '~/app/components/fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { CheckedDetails } from '~/server/domain/accounts/settings/billing-details';
import { SectionForm } from './section-form';
import classes from './settings.module.css';

type Props = {
  details: CheckedDetails;
  /** The country's name; users change it in their profile. */
  country: string | null;
  failure?: FormFailure;
};

/** The name and address on the user's invoices and receipts. */
export function BillingSection({ details, country, failure }: Props) {
  const { t } = useTranslation('account');
  const paths = usePaths();
  const initial = useMemo(() => initialOf(details), [details]);
  return (
    <SectionForm
      intent="billing"
      title={t('billing.title')}
      initial={initial}
      failure={failure}
      submit={t('billing.save')}
    >
      <TextField
        name="billingName"
        label={t('billing.name')}
        help={t('billing.nameHelp')}
        autoComplete="organization"
      />
      <TextField
        name="taxNumber"
        label={t('billing.taxNumber')}
        help={details.taxNumberStatus && t(`billing.vatNumber.${details.taxNumberStatus}`)}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField name="street" label={t('billing.street')} autoComplete="street-address" />
      <TextField name="postalCode" label={t('billing.postalCode')} autoComplete="postal-code" />
      <TextField name="city" label={t('billing.city')} autoComplete="address-level2" />
      <p className={classes.name}>
        {country ? t('billing.country', { country }) : t('billing.countryNone')}{' '}
        <Link to={paths.profile}>{t('billing.countryChange')}</Link>
      </p>
    </SectionForm>
  );
}

const initialOf = ({ billingName, taxNumber, street, postalCode, city }: CheckedDetails) => ({
  billingName: billingName ?? '',
  taxNumber: taxNumber ?? '',
  street: street ?? '',
  postalCode: postalCode ?? '',
  city: city ?? '',
});
