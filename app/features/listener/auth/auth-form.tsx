import { type FormEventHandler, type ReactNode, useCallback, useEffect, useRef } from 'react';
import { FormStateProvider, STATIC_FORM } from '~/app/components/form-context';
import type { FormFailure } from '~/app/lib/doors.server';
import { OFFLINE, useRetry } from '~/app/lib/offline';
import { Form, useNavigation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

type Props = {
  failure: FormFailure | undefined;
  submit: string;
  /** The page has a button that matters more. */
  isSecondary?: boolean;
  /** Defaults to the page itself. */
  action?: string;
  onInput?: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
};

/** A plain form for public pages. It works without JavaScript; after a failure it focuses the first invalid field. */
export function AuthForm({ failure, submit, isSecondary = false, action, onInput, children }: Props) {
  const { t } = useTranslation('auth');
  const form = useRef<HTMLFormElement>(null);
  const busy = useNavigation().state !== 'idle';
  const fields = Object.entries(failure?.fields ?? {});
  const isOffline = failure?.code === OFFLINE;
  const { t: tCommon } = useTranslation();
  const offline = isOffline ? tCommon('offline.form') : null;
  const resubmit = useCallback(() => form.current?.requestSubmit(), []);
  useRetry(isOffline, resubmit);
  const message =
    offline ?? failure?.message ?? (fields.length > 0 ? t('form.failed', { count: fields.length }) : null);
  const errors = Object.fromEntries(fields.map(([name, messages]) => [name, messages.join(' ')]));

  useEffect(() => {
    if (!failure) return;
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    (find('[aria-invalid="true"]') ?? find('[role="alert"]'))?.focus();
  }, [failure]);

  return (
    <FormStateProvider value={{ ...STATIC_FORM, errors, values: failure?.values ?? {} }}>
      <Form method="post" action={action} className="form" ref={form} noValidate onInput={onInput}>
        {message && (
          <p className="notice bad" role="alert" tabIndex={-1}>
            {message}
          </p>
        )}
        {children}
        <button className={isSecondary ? 'button plain' : 'button'} type="submit" aria-disabled={busy}>
          {submit}
        </button>
      </Form>
    </FormStateProvider>
  );
}
