import { useFormState } from '~/app/components/form-context';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainCheckField, PlainTextArea, PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { SaveCardField } from '~/app/features/listener/auth/save-card-field';
import { TermsLabel } from '~/app/features/listener/auth/terms-label';
import type { FormFailure } from '~/app/lib/doors.server';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';
import { GIFT_LIMITS } from '~/server/limits/billing';
import type { GiftOfferData } from './gift-offer.server';

type Props = {
  data: GiftOfferData;
  failure: FormFailure | undefined;
  /** Called with the whole form whenever one of its fields changes. */
  onWrite: (fields: FormData) => void;
};

/** The gift's length, its recipient and the buyer. Its button opens the payment page at the shown prices. */
export function GiftForm({ data, failure, onWrite }: Props) {
  const { t } = useTranslation('buying');
  const { product, shown, buyer, login } = data;
  return (
    <>
      <AuthForm
        failure={failure}
        submit={t('pay.submit')}
        onInput={({ currentTarget }) => onWrite(new FormData(currentTarget))}
      >
        <input type="hidden" name="product" value={product.id} />
        <input type="hidden" name="shown" value={shown} />
        <Choices data={data} />
        <p className="small muted gift-terms">
          {t('gift.buy.lead')} {t('bill.vat')}
        </p>
        <Recipient data={data} />
        <Payer data={data} />
      </AuthForm>
      {buyer.email === null && (
        <p className="form-foot">
          {t('pay.have')} <Link to={login}>{t('pay.login')}</Link>
        </p>
      )}
    </>
  );
}

function Choices({ data: { choices, chosen } }: Pick<Props, 'data'>) {
  const { t } = useTranslation('buying');
  const { values } = useFormState();
  const first = values.months ?? String(chosen);
  if (choices.length === 1) return <p className="gift-price">{choices[0]!.label}</p>;
  return (
    <div className="offer-choice">
      <fieldset className="choices">
        <legend>{t('gift.buy.legend')}</legend>
        {choices.map(({ months, label }) => (
          <label key={months}>
            <input type="radio" name="months" value={months ?? ''} defaultChecked={String(months) === first} />
            {label}
          </label>
        ))}
      </fieldset>
    </div>
  );
}

function Recipient({ data: { kept } }: Pick<Props, 'data'>) {
  const { t } = useTranslation('buying');
  return (
    <>
      <h2>{t('gift.buy.for')}</h2>
      <PlainTextField
        name="recipientName"
        label={t('gift.buy.recipientName')}
        maxLength={GIFT_LIMITS.recipientName}
        autoComplete="off"
        defaultValue={kept?.recipientName}
      />
      <PlainTextField
        name="recipientEmail"
        type="email"
        label={t('gift.buy.recipientEmail')}
        help={t('gift.buy.recipientEmailHelp')}
        autoComplete="off"
        defaultValue={kept?.recipientEmail ?? ''}
      />
      <PlainTextArea
        name="message"
        label={t('gift.buy.message')}
        help={t('gift.buy.messageHelp', { count: GIFT_LIMITS.message })}
        rows={3}
        maxLength={GIFT_LIMITS.message}
        defaultValue={kept?.message}
      />
    </>
  );
}

function Payer({ data: { buyer, kept } }: Pick<Props, 'data'>) {
  const { t } = useTranslation('buying');
  const isGuest = buyer.email === null;
  return (
    <>
      <h2>{t('gift.buy.you')}</h2>
      {isGuest ? (
        <PlainTextField
          name="email"
          type="email"
          label={t('gift.buy.email')}
          help={t('gift.buy.emailHelp')}
          autoComplete="email"
          defaultValue={kept?.email ?? undefined}
          required
        />
      ) : (
        <p className="small muted">{t('pay.as', { email: buyer.email ?? '' })}</p>
      )}
      <PlainTextField
        name="giverName"
        label={t('gift.buy.giverName')}
        help={t('gift.buy.giverNameHelp')}
        autoComplete="name"
        maxLength={ACCOUNT_LIMITS.nameLength}
        defaultValue={kept?.giverName ?? buyer.name}
      />
      <SaveCardField isGuest={isGuest} />
      {!buyer.isAdult && <PlainCheckField name="adult" label={t('pay.adult')} isTicked={kept !== null} />}
      {isGuest && <PlainCheckField name="terms" label={<TermsLabel />} isTicked={kept !== null} />}
      <p className="small muted">{t('gift.buy.lifetime')}</p>
    </>
  );
}
