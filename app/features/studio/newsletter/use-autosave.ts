import { useEffect, useMemo, useRef, useState } from 'react';
import type { FieldErrors, FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useRevalidator } from '~/app/lib/router';
import { useChange, useProcedure } from '~/app/lib/trpc';
import { errorCode, fieldErrors } from '~/app/lib/trpc-errors';

/**
 * `changed`: another window has saved the edition since it was opened, so that nothing is saved until the user decides. `refused`: a field
 * has an error, which is shown beside it.
 */
export type SaveState = 'unchanged' | 'saving' | 'saved' | 'failed' | 'refused' | 'changed';

const DELAY_MS = 1500;
const ASK_EVERY_MS = 5000;
const CHANGED = 'newsletter.edition_changed';

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
  const submitted = useRef<FormValues | null>(null);
  const { changeAsync } = useChange('editions.update');
  const { changeAsync: keepTextAsync } = useChange('editions.keepText');

  useEffect(() => {
    setErrors(Object.fromEntries(Object.entries(failure?.fields ?? {}).map(([name, found]) => [name, found[0] ?? ''])));
  }, [failure]);
  useEffect(() => {
    if (failure && submitted.current) latest.current.saved = submitted.current;
    submitted.current = null;
  }, [failure]);
  useEffect(() => {
    // with the new revision, the next save would replace what the other window has saved
    if (failure?.code === CHANGED) return setState('changed');
    latest.current.revision = loaded;
    setRevision(loaded);
  }, [loaded, failure]);
  latest.current.values = values;

  const { data: stored } = useProcedure('editions.saved', { id }, { everyMs: ASK_EVERY_MS });
  const theirs = stored && stored.revision > revision ? stored.revision : null;
  useEffect(() => {
    // the answer to a request that is saving now may not have arrived
    if (stored && stored.revision > latest.current.revision && !running.current) setState('changed');
  }, [stored]);

  async function save(): Promise<void> {
    const { values: sent, saved, revision } = latest.current;
    if (sent === saved) return;
    await store(Object.fromEntries(Object.entries(sent).filter(([name, value]) => saved[name] !== value)), revision);
  }

  async function store(changes: FormValues & { keepsOther?: string }, base: number): Promise<boolean> {
    const { values: sent } = latest.current;
    setState('saving');
    try {
      const answer = await changeAsync({ ...changes, id, revision: base } as never);
      latest.current.saved = sent;
      latest.current.revision = answer.revision;
      setRevision(answer.revision);
      setState('saved');
      setErrors({});
      return true;
    } catch (error) {
      const found = fieldErrors(error);
      setErrors(found);
      if (errorCode(error) === CHANGED) setState('changed');
      else setState(Object.keys(found).length > 0 ? 'refused' : 'failed');
      return false;
    }
  }

  /** Saves this window's values; the other text becomes a version. */
  const keepMine = async (): Promise<boolean> =>
    theirs !== null && (await store({ ...latest.current.values, keepsOther: 'true' }, theirs));

  /** Shows what the other window has saved; the text of this one becomes a version. */
  async function takeTheirs(): Promise<void> {
    if (theirs === null) return;
    const { title = '', preheader = '', content } = latest.current.values;
    if (content !== undefined) {
      setState('saving');
      try {
        await keepTextAsync({ id, revision: theirs, title, preheader, content });
      } catch (error) {
        return setState(errorCode(error) === CHANGED ? 'changed' : 'failed');
      }
    }
    latest.current.saved = latest.current.values;
    window.location.reload();
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

  const { revalidate } = useRevalidator();
  /**
   * The next step may have been loaded before the last words were saved, and would show what was stored before: also if
   * they were saved while it was loading.
   */
  async function saveAndReload(): Promise<void> {
    await running.current;
    await save();
    if (latest.current.revision !== loaded) revalidate();
  }
  const leave = useRef(saveAndReload);
  leave.current = saveAndReload;
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
    /** Null until it is known what the other window has saved. */
    choice: theirs === null ? null : { keepMine: () => void keepMine(), takeTheirs: () => void takeTheirs() },
    /** The save in progress, if any. */
    pending: () => running.current,
    /** The form itself saves its values: a save beside it would have the same revision, and be refused. */
    submit() {
      submitted.current = latest.current.saved;
      latest.current.saved = latest.current.values;
    },
    setValue: (name: string, value: string) => setValues((current) => ({ ...current, [name]: value })),
    setError: (name: string, message: string) => setErrors((current) => ({ ...current, [name]: message })),
  };
}
