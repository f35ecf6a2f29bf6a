import { useFormState } from '~/app/components/form-context';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainCheckField, PlainTextArea, PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { SaveCardField } from '~/app/features/listener/auth/save-card-field';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { DONATION_TEXTS } from '~/server/limits/donations';
import type { DonationPageData } from './donation-data.server';

type Props = { page: DonationPageData; failure: FormFailure | undefined };

/** The donor's amount, interval and message. The form leads to the payment page, also without JavaScript. */
export function DonationForm({ page, failure }: Props) {
  const { t } = useTranslation('donation');
  const paths = usePaths();
  const { name } = page.creator;
  return (
    <AuthForm failure={failure} submit={t('form.submit')} action={paths.donationPayment(page.id)}>
      <input type="hidden" name="currency" value={page.currency} />
      <Amount page={page} />
      <Rhythm chosen={page.chosen.every} />
      {page.donor ? (
        <p>{t('form.loggedIn', { email: page.donor.email })}</p>
      ) : (
        <PlainTextField
          name="email"
          type="email"
          autoComplete="email"
          label={t('form.email')}
          help={t('form.emailHelp')}
          required
        />
      )}
      <PlainTextField
        name="name"
        autoComplete="name"
        label={t('form.name')}
        defaultValue={page.donor?.name}
        maxLength={DONATION_TEXTS.name}
        dir="auto"
      />
      <PlainTextArea
        name="message"
        label={t('form.message', { name })}
        help={t('form.messageHelp', { max: DONATION_TEXTS.message })}
        rows={3}
        dir="auto"
      />
      <PlainCheckField name="isAnonymous" label={t('form.anonymous')} help={t('form.anonymousHelp', { name })} />
      <div className="of-once">
        <SaveCardField isGuest={page.donor === null} />
      </div>
      <p className="small muted">
        {t('form.public', { name })} {t('form.terms')} <a href={paths.terms}>{t('form.termsLink')}</a> ·{' '}
        <a href={paths.privacy}>{t('form.privacyLink')}</a>
      </p>
    </AuthForm>
  );
}

/** The style sheet shows the field for another amount when its option is chosen. */
function Amount({ page: { suggestions, chosen, currency } }: Pick<Props, 'page'>) {
  const { t } = useTranslation('donation');
  const { values } = useFormState();
  const choice = values.choice ?? chosen.choice;
  return (
    <fieldset className="choices">
      <legend>{t('form.amount')}</legend>
      <div className="amounts">
        {[...suggestions, { value: 'other', label: t('form.otherAmount'), like: null }].map(
          ({ value, label, like }) => (
            <label key={value}>
              <input type="radio" name="choice" value={value} defaultChecked={value === choice} />
              <span>
                {label}
                {like && <span className="small">{like}</span>}
              </span>
            </label>
          ),
        )}
      </div>
      <div className="other-amount">
        <PlainTextField
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          label={t('form.amountIn', { currency: currency.toUpperCase() })}
          defaultValue={chosen.amount}
        />
      </div>
    </fieldset>
  );
}

function Rhythm({ chosen }: { chosen: string }) {
  const { t } = useTranslation('donation');
  const { values, errors } = useFormState();
  const every = values.every ?? chosen;
  return (
    <fieldset className="choices">
      <legend>{t('form.every')}</legend>
      <div className="chips">
        {(['once', 'month'] as const).map((value) => (
          <label key={value}>
            <input type="radio" name="every" value={value} defaultChecked={value === every} />
            {t(`form.${value}`)}
          </label>
        ))}
      </div>
      {errors.every && <p className="error">{errors.every}</p>}
      <p className="help of-month">{t('form.monthHelp')}</p>
    </fieldset>
  );
}
