import { useTranslation } from '~/app/lib/translation';
import { PlainCheckField, PlainSelectField } from './plain-fields';
import { TermsLabel } from './terms-label';

/** What every new account is asked besides name and address, whatever it will log in with. */
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
