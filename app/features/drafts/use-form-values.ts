import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useStudio } from '~/app/features/studio/studio-context';
import type { Faults, FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { focusFirstFault, typedInto } from './form-elements';
import { useDraft } from './use-draft';

type Input = { form: string; initial: FormValues; refusal?: FormFailure; onTaken?: () => void };

/** What is typed into a form and what is wrong with it: from the server, the draft and whoever types. */
export function useFormValues(element: RefObject<HTMLFormElement>, { form, initial, refusal, onTaken }: Input) {
  const { user } = useStudio();
  const [values, setValues] = useState<FormValues>(() => ({ ...initial, ...refusal?.values }));
  const [faults, setFaults] = useState<Faults>(() => firstOf(refusal));
  const typed = useMemo(() => withoutUploads(values), [values]);
  const add = (more: FormValues) => setValues((now) => ({ ...now, ...more }));
  const draft = useDraft({ userId: user.id, form, values: typed, initial, restore: add, onTaken });

  // what was typed before the scripts arrived
  const rendered = useRef(values);
  useEffect(() => setValues((now) => ({ ...now, ...typedInto(element.current, rendered.current) })), [element]);

  useEffect(() => {
    if (!refusal) return;
    setFaults(firstOf(refusal));
    focusFirstFault(element.current, firstOf(refusal));
  }, [refusal, element]);

  function set(name: string, value: string) {
    setValues((now) => ({ ...now, [name]: value }));
    setFaults(({ [name]: _, ...others }) => others);
  }

  function fault(name: string, sentence: string) {
    setFaults((now) => ({ ...now, [name]: sentence }));
  }

  function startAnew() {
    draft.forget();
    setValues(initial);
    onTaken?.();
  }

  return { values, faults, set, fault, setFaults, draft, startAnew };
}

function firstOf(refusal: FormFailure | undefined): Faults {
  const entries = Object.entries(refusal?.fields ?? {}).flatMap(([name, [first]]) => (first ? [[name, first]] : []));
  return Object.fromEntries(entries);
}

/** Keys of uploads are kept by the uploads themselves (features/upload), with what is needed to go on with them. */
function withoutUploads(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.endsWith('Key')));
}
