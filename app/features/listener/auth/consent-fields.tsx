import { useFormState } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { PlainCheckField, PlainSelectField } from './plain-fields';
import { TermsLabel } from './terms-label';

type Props = {
  countries: { value: string; label: string }[];
  /** The country in which the visitor probably lives. */
  guess: string | null;
};

/** The questions for every new account besides name and address, for each way to log in. */
export function ConsentFields({ countries, guess }: Props) {
  const { t } = useTranslation('auth');
  const { errors, values } = useFormState();
  const known = values.country || guess;
  const named = countries.find(({ value }) => value === known);
  const field = (
    <PlainSelectField
      name="country"
      label={t('field.country')}
      placeholder={t('field.countryNone')}
      options={countries}
      autoComplete="country"
      defaultValue={guess ?? ''}
      required
    />
  );
  return (
    <>
      {named && !errors.country ? (
        <details>
          <summary>{t('field.countryIs', { country: named.label })}</summary>
          {field}
        </details>
      ) : (
        field
      )}
      <PlainCheckField name="terms" label={<TermsLabel />} />
    </>
  );
}
