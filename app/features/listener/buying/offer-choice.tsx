import type { ChangeEvent } from 'react';
import { FormStateProvider, STATIC_FORM } from '~/app/components/form-context';
import { PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { SaleView } from './offer-data.server';

const CHOICE = 'offer-choice';

/**
 * Lets buyers choose an interval, an amount if they may set it, and a coupon. The URL keeps the choice, so that it
 * works without JavaScript and the payment page can return to it.
 */
export function OfferChoice({ productId, sale }: { productId: number; sale: SaleView }) {
  const { t } = useTranslation('buying');
  const { choices, interval, bounds, coupon, problem } = sale;
  const errors = problem ? { [problem.field]: problem.message } : {};
  const values = problem ? { [problem.field]: problem.value } : {};
  return (
    <FormStateProvider value={{ ...STATIC_FORM, errors, values }}>
      <Form method="get" id={CHOICE} className="form offer-choice" replace preventScrollReset noValidate>
        <input type="hidden" name="product" value={productId} />
        {choices.length > 1 ? (
          <fieldset className="choices">
            <legend>{t('choice.legend')}</legend>
            {choices.map((choice) => (
              <label key={choice.interval}>
                <input
                  type="radio"
                  name="interval"
                  value={choice.interval}
                  defaultChecked={choice.interval === interval}
                  onChange={submitChoice}
                />
                {choice.label}
                {choice.saving && <span className="badge">{choice.saving}</span>}
              </label>
            ))}
          </fieldset>
        ) : (
          <input type="hidden" name="interval" value={interval} />
        )}
        {bounds && (
          <PlainTextField
            key={`${interval} ${sale.amount}`}
            name="amount"
            label={t('choice.amount')}
            help={t('choice.amountHelp', bounds)}
            inputMode="decimal"
            autoComplete="off"
            defaultValue={sale.amount}
          />
        )}
        <details open={coupon !== null || problem?.field === 'coupon' || undefined}>
          <summary>{t('choice.hasCoupon')}</summary>
          <PlainTextField
            name="coupon"
            label={t('choice.coupon')}
            defaultValue={coupon?.code}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          {!bounds && (
            <button className="button plain slim" type="submit">
              {t('choice.apply')}
            </button>
          )}
        </details>
        {bounds ? (
          <UpdateButton />
        ) : (
          // with JavaScript, a choice applies without a button
          choices.length > 1 && (
            <noscript>
              <UpdateButton />
            </noscript>
          )
        )}
      </Form>
    </FormStateProvider>
  );
}

function UpdateButton() {
  const { t } = useTranslation('buying');
  return (
    <button className="button plain slim" type="submit">
      {t('choice.update')}
    </button>
  );
}

/** Leaves out the amount, which belongs to the other interval. */
function submitChoice({ currentTarget: { form } }: ChangeEvent<HTMLInputElement>): void {
  const amount = form?.elements.namedItem('amount');
  const field = amount instanceof HTMLInputElement ? amount : null;
  if (field) field.disabled = true;
  form?.requestSubmit();
  if (field) field.disabled = false;
}

/**
 * Applies an amount or a coupon that was typed but not applied, so that the page shows its price before the buyer pays.
 * Otherwise buyers would pay the price without it.
 * @returns whether there was one
 */
export function applyTyped(): boolean {
  const form = document.getElementById(CHOICE);
  if (!(form instanceof HTMLFormElement)) return false;
  const applied = new URLSearchParams(location.search);
  const typed = [...form.querySelectorAll<HTMLInputElement>('.input')].find(
    ({ name, value, defaultValue }) => value !== defaultValue && value !== applied.get(name),
  );
  if (!typed) return false;
  form.requestSubmit();
  form.scrollIntoView();
  return true;
}
