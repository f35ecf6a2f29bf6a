import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainCheckField, PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { TermsLabel } from '~/app/features/listener/auth/terms-label';
import type { FormFailure } from '~/app/lib/doors.server';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { applyTyped } from './offer-choice';
import type { OfferData, SaleView } from './offer-data.server';

type Props = { data: OfferData; sale: SaleView; failure: FormFailure | undefined };

/** The buyer's details. Its button opens the payment page at the shown terms. */
export function PayForm({ data, sale, failure }: Props) {
  const { t } = useTranslation('buying');
  const { product, buyer, kept, login } = data;
  const isGuest = buyer.email === null;
  return (
    <>
      <AuthForm failure={withCouponMessage(failure)} submit={t(submitKey(sale))} beforeSubmit={applyTyped}>
        <input type="hidden" name="product" value={product.id} />
        <input type="hidden" name="interval" value={sale.interval} />
        {sale.isChosen && <input type="hidden" name="amount" value={sale.amount} />}
        {sale.coupon && <input type="hidden" name="coupon" value={sale.coupon.code} />}
        <input type="hidden" name="shown" value={sale.shown} />
        {isGuest ? (
          <PlainTextField
            name="email"
            type="email"
            label={t('pay.email')}
            help={t('pay.emailHelp')}
            autoComplete="email"
            defaultValue={kept?.email}
            required
          />
        ) : (
          <p className="small muted">{t('pay.as', { email: buyer.email ?? '' })}</p>
        )}
        {!buyer.isAdult && <PlainCheckField name="adult" label={t('pay.adult')} isTicked={kept !== null} />}
        {isGuest && <PlainCheckField name="terms" label={<TermsLabel />} isTicked={kept !== null} />}
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

/** The coupon field belongs to the other form. */
function withCouponMessage(failure: FormFailure | undefined): FormFailure | undefined {
  const messages = failure?.fields.code;
  return failure && messages ? { ...failure, fields: {}, message: messages.join(' ') } : failure;
}
