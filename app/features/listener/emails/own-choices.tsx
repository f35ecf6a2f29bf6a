import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainCheckField, PlainSelectField } from '~/app/features/listener/auth/plain-fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { LANGUAGES } from '~/locales/languages';
import type { OwnContact } from '~/server/domain/audience/own-contact';

type Props = { choices: NonNullable<OwnContact['choices']>; creator: string; failure: FormFailure | undefined };

/**
 * The language of the emails, and whether the creator may see when the person last read. Nobody is asked for that while the
 * creator does not want it, but a consent of before can be withdrawn.
 */
export function OwnChoices({ choices, creator, failure }: Props) {
  const { t } = useTranslation('own-emails');
  const { t: inNewsletter } = useTranslation('newsletter');
  const languages = LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }));
  const own = failure?.values.intent === 'save' ? failure : undefined;
  return (
    <section aria-labelledby="choices">
      <h2 id="choices">{t('choices')}</h2>
      <AuthForm failure={own} submit={t('save')} isSecondary>
        <input type="hidden" name="intent" value="save" />
        <PlainSelectField name="language" label={t('language')} options={languages} defaultValue={choices.language} />
        {(choices.asksTracking || choices.isTracked) && (
          <PlainCheckField
            name="isTracked"
            label={inNewsletter('tracking.label', { creator })}
            help={t(choices.asksTracking ? 'trackedHelp' : 'untracked', { creator })}
            isTicked={choices.isTracked}
          />
        )}
      </AuthForm>
    </section>
  );
}
