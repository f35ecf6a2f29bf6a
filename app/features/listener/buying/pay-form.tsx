import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainCheckField, PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { SaveCardField } from '~/app/features/listener/auth/save-card-field';
import { TermsLabel } from '~/app/features/listener/auth/terms-label';
import type { FormFailure } from '~/app/lib/doors.server';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';
import { OfferChoice } from './offer-choice';
import type { OfferData, SaleView } from './offer-data.server';
import { Bill } from './offer-summary';

type Props = { data: OfferData; sale: SaleView; failure: FormFailure | undefined };

/** The buyer's choice, its price, and the buyer's details. Its button opens the payment page with what the form has. */
export function PayForm({ data, sale, failure }: Props) {
  const { t } = useTranslation('buying');
  const { product, creator, buyer, kept, login } = data;
  const isGuest = buyer.email === null;
  return (
    <>
      <AuthForm failure={failureOf(sale, failure)} submit={t(submitKey(sale))}>
        {/* the first button is the one that Enter presses */}
        <button type="submit" hidden />
        <input type="hidden" name="product" value={product.id} />
        <input type="hidden" name="shown" value={sale.shown} />
        <div className="pay-fields">
          <OfferChoice sale={sale} />
          {isGuest ? (
            <>
              <PlainTextField
                name="email"
                type="email"
                label={t('pay.email')}
                help={t('pay.emailHelp')}
                autoComplete="email"
                defaultValue={kept?.email}
                required
              />
              <PlainTextField
                name="name"
                label={t('pay.name')}
                help={t('pay.nameHelp', { creator })}
                autoComplete="name"
                maxLength={ACCOUNT_LIMITS.nameLength}
                defaultValue={kept?.name}
              />
            </>
          ) : (
            <p className="small muted">{t('pay.as', { email: buyer.email ?? '' })}</p>
          )}
          {sale.interval === 'once' && <SaveCardField isGuest={isGuest} />}
          {!buyer.isAdult && <PlainCheckField name="adult" label={t('pay.adult')} isTicked={kept !== null} />}
          {isGuest && <PlainCheckField name="terms" label={<TermsLabel />} isTicked={kept !== null} />}
        </div>
        <Bill sale={sale} />
      </AuthForm>
      <p className="small muted">{t(sale.interval === 'once' ? 'pay.secureOnce' : 'pay.secure')}</p>
      {isGuest && (
        <p className="form-foot">
          {t('pay.have')} <Link to={login}>{t('pay.login')}</Link>
        </p>
      )}
    </>
  );
}

const submitKey = ({ trialDays }: SaleView) => (trialDays > 0 ? 'pay.submitTrial' : 'pay.submit');

/** Why the form was refused, or else the choice in the URL. */
function failureOf({ problem }: SaleView, failure: FormFailure | undefined): FormFailure | undefined {
  if (!failure) return problem ? { ok: false, code: '', message: null, ...problem } : undefined;
  const { code: coupon, ...fields } = failure.fields;
  return coupon ? { ...failure, fields: { ...fields, coupon } } : failure;
}
