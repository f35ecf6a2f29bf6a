import { SelectField } from '~/app/components/fields';
import { useTranslation } from '~/app/lib/translation';
import { LANGUAGES } from '~/locales/languages';

/** Each language under its own name, which its readers understand. */
export function LanguageField({ placeholder }: { placeholder?: string }) {
  const { t } = useTranslation('account');
  const choices = LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }));
  return (
    <SelectField
      name="language"
      label={t('profile.language')}
      help={t('profile.languageHelp')}
      choices={choices}
      placeholder={placeholder}
      required
    />
  );
}
