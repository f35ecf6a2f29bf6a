import { useEffect, useMemo, useRef, useState } from 'react';
import type { FieldErrors, FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useChange } from '~/app/lib/trpc';
import { errorCode, fieldErrors } from '~/app/lib/trpc-errors';

/**
 * `changed`: somebody else has saved the edition since it was opened, so that nothing is saved any more. `refused`: a field
 * has an error, which is shown beside it.
 */
export type SaveState = 'unchanged' | 'saving' | 'saved' | 'failed' | 'refused' | 'changed';

const DELAY_MS = 1500;

type Options = { id: number; revision: number; initial: FormValues; failure?: FormFailure };

/**
 * The values of an edition's form, which are saved when the user pauses. One request at a time: each needs the revision
 * that the last one has answered.
 */
export function useAutosave({ id, revision: loaded, initial, failure }: Options) {
  const given = useMemo(() => ({ ...initial, ...failure?.values }), [initial, failure]);
  const [values, setValues] = useState<FormValues>(given);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [state, setState] = useState<SaveState>('unchanged');
  const [revision, setRevision] = useState(loaded);
  const latest = useRef({ values, saved: given, revision: loaded });
  const running = useRef<Promise<void> | null>(null);
  const { changeAsync } = useChange('editions.update');

  useEffect(() => {
    setErrors(Object.fromEntries(Object.entries(failure?.fields ?? {}).map(([name, found]) => [name, found[0] ?? ''])));
  }, [failure]);
  useEffect(() => {
    latest.current.revision = loaded;
    setRevision(loaded);
  }, [loaded]);
  latest.current.values = values;

  async function save(): Promise<void> {
    const { values: sent, saved } = latest.current;
    if (sent === saved) return;
    setState('saving');
    try {
      const changes = Object.fromEntries(Object.entries(sent).filter(([name, value]) => saved[name] !== value));
      const answer = await changeAsync({ ...changes, id, revision: latest.current.revision } as never);
      latest.current.saved = sent;
      latest.current.revision = answer.revision;
      setRevision(answer.revision);
      setState('saved');
      setErrors({});
    } catch (error) {
      const found = fieldErrors(error);
      setErrors(found);
      if (errorCode(error) === 'newsletter.edition_changed') setState('changed');
      else setState(Object.keys(found).length > 0 ? 'refused' : 'failed');
    }
  }

  useEffect(() => {
    if (values === latest.current.saved || state === 'changed') return;
    const timer = setTimeout(() => {
      running.current = (running.current ?? Promise.resolve()).then(save).finally(() => {
        running.current = null;
      });
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [values]);

  const leave = useRef(save);
  leave.current = save;
  useEffect(() => {
    // the last words may not be saved yet
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current.values !== latest.current.saved) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
      void leave.current();
    };
  }, []);

  return {
    values,
    errors,
    state,
    revision,
    /** The request that is saving now; null if there is none. */
    pending: () => running.current,
    setValue: (name: string, value: string) => setValues((current) => ({ ...current, [name]: value })),
    setError: (name: string, message: string) => setErrors((current) => ({ ...current, [name]: message })),
  };
}
