import { useTranslation } from '~/app/lib/translation';
import { PlainCheckField, PlainSelectField } from './plain-fields';
import { TermsLabel } from './terms-label';

/** The questions for every new account besides name and address, for each way to log in. */
export function ConsentFields({ countries }: { countries: { value: string; label: string }[] }) {
  const { t } = useTranslation('auth');
  return (
    <>
      <PlainSelectField
        name="country"
        label={t('field.country')}
        placeholder={t('field.countryNone')}
        options={countries}
        autoComplete="country"
        required
      />
      <PlainCheckField name="terms" label={<TermsLabel />} />
    </>
  );
}
