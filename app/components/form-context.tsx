import { createContext, useContext, useMemo, useRef } from 'react';
import type { FieldErrors, FormValues } from '~/app/lib/check-form';

type FormState = {
  values: FormValues;
  errors: FieldErrors;
  setValue: (name: string, value: string) => void;
  /** Fills in a value that the browser knows and the user did not type. */
  setDefault: (name: string, value: string) => void;
  /** Shows an error next to a field before the form is submitted. */
  setError: (name: string, message: string) => void;
};

export const STATIC_FORM: FormState = {
  values: {},
  errors: {},
  setValue: () => {},
  setDefault: () => {},
  setError: () => {},
};
const FormContext = createContext<FormState>(STATIC_FORM);
export const FormStateProvider = FormContext.Provider;

/** The state of the enclosing form. */
export function useFormState(): FormState {
  return useContext(FormContext);
}

/** The value, error and change handler of a text input. */
export function useField(name: string) {
  const { values, errors, setValue } = useFormState();
  return {
    name,
    value: values[name] ?? '',
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => setValue(name, event.currentTarget.value),
  };
}

/** Setters that change a field from outside its input. Their identity is stable across renders. */
export function useFieldSetters(name: string) {
  const state = useFormState();
  const latest = useRef(state);
  latest.current = state;
  return useMemo(
    () => ({
      setValue: (value: string) => latest.current.setValue(name, value),
      /** Replaces an earlier proposal, but keeps text that the user has typed. */
      propose: (value: string, earlier: string) => {
        const current = latest.current.values[name];
        if (!current || current === earlier) latest.current.setValue(name, value);
      },
      setDefault: (value: string) => latest.current.setDefault(name, value),
      setError: (message: string) => latest.current.setError(name, message),
    }),
    [name],
  );
}
