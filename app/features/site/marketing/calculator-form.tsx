import { useEffect, useRef } from 'react';
import { FormStateProvider, STATIC_FORM } from '~/app/components/form-context';
import { PlainSelectField, PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { CalculatorView } from './calculator-data.server';

type Props = { view: CalculatorView /** The id of the results. */; result: string };

/** The figures. The form's address can be shared, and it works without JavaScript. */
export function CalculatorForm({ view, result }: Props) {
  const { t } = useTranslation('calculator');
  const { values, errors, options } = view;
  const form = useRef<HTMLFormElement>(null);
  const isSubmitted = useRef(false);
  const hasErrors = Object.keys(errors).length > 0;

  // the fields are new after a submission, so the focus would be lost
  useEffect(() => {
    if (!isSubmitted.current) return;
    isSubmitted.current = false;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (invalid ?? document.getElementById(result))?.focus({ preventScroll: !invalid });
  }, [view, result]);

  const count = (name: 'subscribers' | 'donations' | 'sales') => (
    <PlainTextField name={name} label={t(`field.${name}`)} inputMode="numeric" autoComplete="off" />
  );
  const amount = (name: 'price' | 'donation' | 'salePrice') => (
    <PlainTextField name={name} label={t(`field.${name}`)} inputMode="decimal" autoComplete="off" />
  );
  const select = (name: keyof typeof options) => (
    <PlainSelectField name={name} label={t(`field.${name}`)} options={options[name]} />
  );
  return (
    <FormStateProvider value={{ ...STATIC_FORM, values, errors }}>
      <Form
        method="get"
        className="form calculator-form"
        ref={form}
        preventScrollReset
        noValidate
        onSubmit={() => {
          isSubmitted.current = true;
        }}
      >
        {hasErrors && (
          <p className="notice bad" role="alert">
            {t('invalid')}
          </p>
        )}
        <div className="calculator-fields" key={JSON.stringify(values)}>
          <fieldset>
            <legend>{t('kind.subscriptions')}</legend>
            {count('subscribers')}
            {amount('price')}
            {select('every')}
          </fieldset>
          <fieldset>
            <legend>{t('perMonth', { kind: t('kind.donations') })}</legend>
            {count('donations')}
            {amount('donation')}
          </fieldset>
          <fieldset>
            <legend>{t('perMonth', { kind: t('kind.sales') })}</legend>
            {count('sales')}
            {amount('salePrice')}
          </fieldset>
          <fieldset>
            <legend>{t('terms')}</legend>
            {select('plan')}
            {select('currency')}
            {select('country')}
          </fieldset>
        </div>
        <button className="button plain" type="submit">
          {t('submit')}
        </button>
      </Form>
    </FormStateProvider>
  );
}
