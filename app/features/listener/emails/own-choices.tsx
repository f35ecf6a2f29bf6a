import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainCheckField, PlainSelectField } from '~/app/features/listener/auth/plain-fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { LANGUAGES } from '~/locales/languages';
import type { OwnContact } from '~/server/domain/audience/own-contact';

type Props = { choices: NonNullable<OwnContact['choices']>; creator: string; failure: FormFailure | undefined };

/**
 * The language of the emails. Creators can't see here who opens an email, so nobody is asked for consent to it; a consent
 * that another installation has brought along can be withdrawn.
 */
export function OwnChoices({ choices, creator, failure }: Props) {
  const { t } = useTranslation('own-emails');
  const languages = LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }));
  const own = failure?.values.intent === 'save' ? failure : undefined;
  return (
    <section aria-labelledby="choices">
      <h2 id="choices">{t('choices')}</h2>
      <AuthForm failure={own} submit={t('save')} isSecondary>
        <input type="hidden" name="intent" value="save" />
        <PlainSelectField name="language" label={t('language')} options={languages} defaultValue={choices.language} />
        {choices.isTracked && (
          <PlainCheckField name="isTracked" label={t('tracked', { creator })} help={t('trackedHelp')} isTicked />
        )}
      </AuthForm>
    </section>
  );
}
