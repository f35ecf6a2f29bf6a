import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { FieldErrors, FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useStudio } from '~/app/lib/studio-context';
import { focusFirstError, typedBeforeHydration } from './form-elements';
import { useDraft } from './use-draft';

/** The fields whose errors depend on another field, by the name of that field. */
export type SharedErrors = Readonly<Record<string, readonly string[]>>;

type Input = {
  form: string;
  initial: FormValues;
  failure?: FormFailure;
  sharedErrors?: SharedErrors;
  onSubmitted?: () => void;
};

/** A form's values and errors, from the server, the saved draft and the user's input. */
export function useFormValues(element: RefObject<HTMLFormElement>, input: Input) {
  const { form, initial, failure, sharedErrors, onSubmitted } = input;
  const { user } = useStudio();
  const [values, setValues] = useState<FormValues>(() => ({ ...initial, ...failure?.values }));
  const [errors, setErrors] = useState<FieldErrors>(() => firstErrors(failure));
  const draftValues = useMemo(() => withoutUploadKeys(values), [values]);
  const restore = (draft: FormValues) => setValues((current) => ({ ...current, ...draft }));
  const [defaults, setDefaults] = useState<FormValues>({});
  const unchanged = useMemo(() => ({ ...initial, ...defaults }), [initial, defaults]);
  const draft = useDraft({ userId: user.id, form, values: draftValues, initial: unchanged, restore, onSubmitted });

  const rendered = useRef(values);
  useEffect(() => {
    setValues((current) => ({ ...current, ...typedBeforeHydration(element.current, rendered.current) }));
  }, [element]);

  useEffect(() => {
    if (!failure) return;
    setErrors(firstErrors(failure));
    focusFirstError(element.current, firstErrors(failure));
  }, [failure, element]);

  function setValue(name: string, value: string) {
    setValues((current) => ({ ...current, [name]: value }));
    setErrors((current) => errorsAfter(name, current, sharedErrors));
  }

  /** Sets a value that the browser knows. The user did not type it, so it creates no draft. */
  function setDefault(name: string, value: string) {
    setDefaults((current) => ({ ...current, [name]: value }));
    setValues((current) => ({ ...current, [name]: value }));
  }

  function setError(name: string, message: string) {
    setErrors((current) => ({ ...current, [name]: message }));
  }

  function startOver() {
    draft.discard();
    setValues(unchanged);
    onSubmitted?.();
  }

  return { values, errors, setValue, setDefault, setError, setErrors, draft, startOver };
}

/** The errors that remain when a field changes: its own error goes, and so do the errors that depend on it. */
export function errorsAfter(name: string, errors: FieldErrors, shared: SharedErrors = {}): FieldErrors {
  const settled = [name, ...(shared[name] ?? [])];
  return Object.fromEntries(Object.entries(errors).filter(([field]) => !settled.includes(field)));
}

function firstErrors(failure: FormFailure | undefined): FieldErrors {
  const entries = Object.entries(failure?.fields ?? {}).flatMap(([name, [first]]) => (first ? [[name, first]] : []));
  return Object.fromEntries(entries);
}

/** The uploads themselves store their keys (features/upload), with the data to resume them. */
function withoutUploadKeys(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.endsWith('Key')));
}
