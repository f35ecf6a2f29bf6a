import { Stack } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Alert } from '~/app/components/alert';
import { FormStateProvider } from '~/app/components/form-context';
import { Section } from '~/app/components/page-header';
import { SubmitButton } from '~/app/components/submit-button';
import { typedBeforeHydration } from '~/app/features/studio/drafts/form-elements';
import type { FieldErrors, FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useKeptText } from './kept-text';

type Props = {
  /** Distinguishes this form from the others of its page; the page's action chooses the procedure by it. */
  intent: string;
  initial: FormValues;
  failure?: FormFailure;
  submit: string;
  /**
   * The id of the section to scroll to after the answer. Without it, the page opens at the top, or keeps its position
   * with JavaScript.
   */
  anchor?: string;
  /** Its button is red. */
  destroys?: boolean;
  /** Its button is outlined, because another one is the main one of the page. */
  quiet?: boolean;
  /** Its page stays after the answer and shows an empty form, which must not get the sent text back. */
  startsEmpty?: boolean;
  children: ReactNode;
};

/**
 * One of several forms on a settings page. Each form shows its own failure. Forms save no drafts, because some contain
 * passwords; after a new log-in, fields other than secrets are restored.
 */
export function SectionForm({ title, ...form }: Props & { title: string }) {
  return (
    <Section title={title}>
      <IntentForm {...form} />
    </Section>
  );
}

/** The form without a section of its own. */
export function IntentForm({
  intent,
  initial,
  failure,
  submit,
  anchor,
  destroys,
  quiet,
  startsEmpty,
  children,
}: Props) {
  const own = failure?.values.intent === intent ? failure : undefined;
  const element = useRef<HTMLFormElement>(null);
  const { isChanged, restore, ...state } = useSectionState(initial, own);
  useKeptText({ intent, values: state.values, isChanged: isChanged && !startsEmpty, restore });
  const rendered = useRef(state);
  useEffect(() => {
    const { values, takeOver } = rendered.current;
    takeOver(typedBeforeHydration(element.current, values));
  }, []);
  useEffect(() => {
    if (own) element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus();
  }, [own]);
  return (
    <Form method="post" action={anchor && `#${anchor}`} ref={element} noValidate>
      <FormStateProvider value={{ ...state, setDefault: state.setValue }}>
        <Stack gap={20}>
          {own?.message && (
            <Alert color="red" variant="light" role="alert" tabIndex={-1}>
              {own.message}
            </Alert>
          )}
          {children}
          <div>
            <SubmitButton intent={intent} destroys={destroys} quiet={quiet}>
              {submit}
            </SubmitButton>
          </div>
        </Stack>
      </FormStateProvider>
    </Form>
  );
}

/** The values that the user has typed since the server's last answer. */
function useSectionState(initial: FormValues, failure: FormFailure | undefined) {
  const given = useMemo(() => ({ ...initial, ...failure?.values }), [initial, failure]);
  const first = { given, values: given, errors: errorsOf(failure) };
  const [state, setState] = useState(first);
  // a new answer replaces the values and the errors
  const latest = (stored: typeof state) => (stored.given === given ? stored : first);
  const { values, errors } = latest(state);
  // several fields may change before the next render
  const change = (next: (now: typeof state) => Partial<typeof state>) =>
    setState((stored) => ({ ...latest(stored), ...next(latest(stored)) }));
  return {
    values,
    errors,
    // a refused form has text that nothing has saved
    isChanged: values !== given || failure !== undefined,
    restore: (kept: FormValues) => change(() => ({ values: { ...given, ...kept } })),
    takeOver: (typed: FormValues) => {
      if (Object.keys(typed).length > 0) change((now) => ({ values: { ...now.values, ...typed } }));
    },
    setValue: (name: string, value: string) =>
      change((now) => ({ values: { ...now.values, [name]: value }, errors: withoutError(now.errors, name) })),
    setError: (name: string, message: string) => change((now) => ({ errors: { ...now.errors, [name]: message } })),
  };
}

const withoutError = (errors: FieldErrors, name: string): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([other]) => other !== name));

const errorsOf = (failure: FormFailure | undefined): FieldErrors =>
  Object.fromEntries(Object.entries(failure?.fields ?? {}).map(([name, messages]) => [name, messages.join(' ')]));
