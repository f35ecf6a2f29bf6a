import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainCheckField } from '~/app/features/listener/auth/plain-fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import type { OwnContact } from '~/server/domain/audience/own-contact';

type Props = { own: OwnContact; failure: FormFailure | undefined; href: string };

/** The file of what the creator holds about the person, and its erasure. */
export function OwnDataSection({ own, failure, href }: Props) {
  const { t, locale } = useTranslation('own-emails');
  const { creator, choices } = own;
  const since = choices && formatDate(choices.since, locale, { dateStyle: 'long', timeZone: 'UTC' });
  const erasing = failure?.values.intent === 'erase' ? failure : undefined;
  return (
    <section aria-labelledby="data">
      <h2 id="data">{t('data')}</h2>
      <p>{since ? t('dataSince', { creator: creator.name, since }) : t('noData', { creator: creator.name })}</p>
      {choices && (
        <>
          <p className="download">
            <a className="button plain slim" href={href} download>
              {t('download')}
            </a>
          </p>
          <details open={erasing !== undefined}>
            <summary>{t('erase')}</summary>
            <p>{t('eraseText', { creator: creator.name })}</p>
            <div className="erase">
              <AuthForm failure={erasing} submit={t('eraseNow')}>
                <input type="hidden" name="intent" value="erase" />
                <PlainCheckField name="hasConfirmed" label={t('eraseConfirm', { creator: creator.name })} />
              </AuthForm>
            </div>
          </details>
        </>
      )}
    </section>
  );
}
