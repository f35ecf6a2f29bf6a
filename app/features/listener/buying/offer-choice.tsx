import { type MouseEvent, useRef } from 'react';
import { useFormState } from '~/app/components/form-context';
import { PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { useSubmit } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { CHOOSE, choiceOf, prefilled } from './chosen-offer';
import type { SaleView } from './offer-data.server';

/** Longer than the time between two keys, or than a press on the button takes. */
const TYPING_MS = 400;

/**
 * Lets buyers choose an interval, an amount if they may set it, and a coupon. They are fields of the form that buys. A
 * button shows the price of the choice; then the URL keeps it, and the payment page can return to it.
 */
export function OfferChoice({ sale }: { sale: SaleView }) {
  const { t } = useTranslation('buying');
  const { errors, values } = useFormState();
  const { choices, interval, bounds, coupon } = sale;
  const choose = useChoice();
  const chooseSoon = useDelayedChoice();
  const chosen = values.interval ?? interval;
  return (
    <div className="offer-choice">
      {choices.length > 1 ? (
        <fieldset className="choices">
          <legend>{t('choice.legend')}</legend>
          {choices.map((choice) => (
            <label key={choice.interval}>
              <input
                type="radio"
                name="interval"
                value={choice.interval}
                defaultChecked={choice.interval === chosen}
                // the amount belongs to the other interval
                onChange={({ currentTarget: { form } }) => choose(form, ['amount'])}
              />
              {choice.label}
              {choice.saving && <span className="badge">{choice.saving}</span>}
            </label>
          ))}
        </fieldset>
      ) : (
        <input type="hidden" name="interval" value={interval} />
      )}
      {bounds && <input type="hidden" name="prefilled" value={prefilled(interval, sale.amount)} />}
      {bounds && (
        <PlainTextField
          // another interval has an amount of its own
          key={interval}
          name="amount"
          label={t('choice.amount')}
          help={t('choice.amountHelp', bounds)}
          inputMode="decimal"
          autoComplete="off"
          defaultValue={sale.amount}
          onInput={({ currentTarget: { form } }) => chooseSoon(form)}
        />
      )}
      <details open={coupon !== null || errors.coupon !== undefined || undefined}>
        <summary>{t('choice.hasCoupon')}</summary>
        <PlainTextField
          name="coupon"
          label={t('choice.coupon')}
          defaultValue={coupon?.code}
          fix={t('choice.withoutCoupon')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <ChooseButton label={t('choice.apply')} />
      </details>
      {(bounds || choices.length > 1) && (
        // with JavaScript, a choice applies without a button
        <noscript>
          <ChooseButton label={t('choice.update')} />
        </noscript>
      )}
    </div>
  );
}

/** Without JavaScript, the action redirects to the page with the choice. */
function ChooseButton({ label }: { label: string }) {
  const choose = useChoice();
  const onClick = (event: MouseEvent<HTMLButtonElement>) => {
    event.preventDefault();
    choose(event.currentTarget.form);
  };
  return (
    <button className="button plain slim" type="submit" name="intent" value={CHOOSE} onClick={onClick}>
      {label}
    </button>
  );
}

/** Shows the price of the choice once the buyer stops typing, unless the form, which has the amount, is submitted first. */
function useDelayedChoice() {
  const choose = useChoice();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const stop = () => clearTimeout(timer.current);
  return (form: HTMLFormElement | null) => {
    stop();
    timer.current = setTimeout(() => form?.isConnected && choose(form), TYPING_MS);
    form?.addEventListener('submit', stop, { once: true });
  };
}

/** Shows the price of the choice in a form, without the fields in `without`. */
function useChoice() {
  const submit = useSubmit();
  return (form: HTMLFormElement | null, without: string[] = []) => {
    if (!form) return;
    const fields = Object.fromEntries([...new FormData(form)].filter(([name]) => !without.includes(name)));
    submit(choiceOf(fields), { method: 'get', replace: true, preventScrollReset: true });
  };
}
