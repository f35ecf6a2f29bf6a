import { createContext, useContext, useMemo, useRef } from 'react';
import type { FormValues } from '~/app/lib/check-form';

type FormState = {
  values: FormValues;
  faults: Record<string, string | undefined>;
  set: (name: string, value: string) => void;
  /** Says what is wrong with a field before it is sent. */
  fault: (name: string, sentence: string) => void;
};

const Context = createContext<FormState>({ values: {}, faults: {}, set: () => {}, fault: () => {} });
export const FormStateProvider = Context.Provider;

/** The state of the form that a field stands in. */
export function useFormState(): FormState {
  return useContext(Context);
}

/** What a text field needs to know of its form. */
export function useField(name: string) {
  const { values, faults, set } = useFormState();
  return {
    name,
    value: values[name] ?? '',
    error: faults[name],
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  };
}

/** Ways to change a field from elsewhere than its input; they stay the same from one rendering to the next. */
export function useFieldSetters(name: string) {
  const state = useFormState();
  const latest = useRef(state);
  latest.current = state;
  return useMemo(
    () => ({
      set: (value: string) => latest.current.set(name, value),
      fault: (sentence: string) => latest.current.fault(name, sentence),
    }),
    [name],
  );
}
