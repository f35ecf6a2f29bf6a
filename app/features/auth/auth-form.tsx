import { Form, useNavigation } from '@remix-run/react';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';

type FormState = { errors: Record<string, string[]>; values: Record<string, string> };
const State = createContext<FormState>({ errors: {}, values: {} });
export const useFormState = () => useContext(State);

/** A form that posts to its page's action, with and without JavaScript; after a refusal the first wrong field has the focus. */
export function AuthForm({
  failure,
  submit,
  children,
}: {
  failure: FormFailure | undefined;
  submit: string;
  children: ReactNode;
}) {
  const { t } = useTranslation('auth');
  const form = useRef<HTMLFormElement>(null);
  const busy = useNavigation().state !== 'idle';
  const wrong = Object.keys(failure?.fields ?? {}).length;
  const said = failure?.message ?? (wrong > 0 ? t('form.failed', { count: wrong }) : null);

  useEffect(() => {
    if (!failure) return;
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    (find('[aria-invalid="true"]') ?? find('[role="alert"]'))?.focus();
  }, [failure]);

  return (
    <State.Provider value={{ errors: failure?.fields ?? {}, values: failure?.values ?? {} }}>
      <Form method="post" className="form" ref={form} noValidate>
        {said && (
          <p className="notice bad" role="alert" tabIndex={-1}>
            {said}
          </p>
        )}
        {children}
        <button className="button" type="submit" aria-disabled={busy}>
          {submit}
        </button>
      </Form>
    </State.Provider>
  );
}
