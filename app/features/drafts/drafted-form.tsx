import { Alert, Button, Stack } from '@mantine/core';
import { Form, useNavigation } from '@remix-run/react';
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ZodObject } from 'zod';
import { FormStateProvider } from '~/app/components/form-context';
import { useStudio } from '~/app/features/studio/studio-context';
import { checkForm, type Faults, type FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import classes from './drafted-form.module.css';
import { focusFirstFault, typedInto } from './form-elements';
import { RestoredNotice } from './restored-notice';
import { useDraft } from './use-draft';

type Props = {
  /** Names the draft: one for each thing that can be edited. */
  form: string;
  initial: FormValues;
  schema: ZodObject;
  required: readonly string[];
  refusal?: FormFailure;
  children: ReactNode;
  /** Stands beside the fields where there is room, and knows what is typed. */
  aside?: ReactNode;
  /** What the schema can't know, such as two fields that depend on each other. */
  check?: (values: FormValues) => Faults;
  /** A fault that time will mend, such as a file that is still on its way. */
  forgive?: string;
  /** Sees the values last and may stop the sending, e.g. until an upload is done; `send` sends then. */
  hold?: (send: () => void) => boolean;
  /** The server took the form, or what was kept of it is not wanted. */
  onTaken?: () => void;
};

/** A form that keeps what is typed, checks it as the server will, and leads to what is wrong. It posts to its own page. */
export function DraftedForm({
  form,
  initial,
  schema,
  required,
  refusal,
  children,
  aside,
  check,
  forgive,
  hold,
  onTaken,
}: Props) {
  const { t } = useTranslation('errors');
  const { user } = useStudio();
  const element = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<FormValues>(() => ({ ...initial, ...refusal?.values }));
  const [faults, setFaults] = useState<Faults>(() => firstOf(refusal));
  const typed = useMemo(() => withoutUploads(values), [values]);
  const restore = (kept: FormValues) => setValues((now) => ({ ...now, ...kept }));
  const draft = useDraft({ userId: user.id, form, values: typed, initial, restore, onTaken });

  // what was typed before the scripts arrived
  const rendered = useRef(values);
  useEffect(() => setValues((now) => ({ ...now, ...typedInto(element.current, rendered.current) })), []);

  const seen = useRef(refusal);
  useEffect(() => {
    if (!refusal || seen.current === refusal) return;
    seen.current = refusal;
    setFaults(firstOf(refusal));
    focusFirstFault(element.current, firstOf(refusal));
  }, [refusal]);

  const state = useMemo(
    () => ({
      values,
      faults,
      set: (name: string, value: string) => {
        setValues((now) => ({ ...now, [name]: value }));
        setFaults(({ [name]: _, ...others }) => others);
      },
      fault: (name: string, sentence: string) => setFaults((now) => ({ ...now, [name]: sentence })),
    }),
    [values, faults],
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    const { [forgive ?? '']: _, ...found } = { ...checkForm(schema, values, required, t), ...check?.(values) };
    setFaults(found);
    if (Object.keys(found).length > 0) {
      event.preventDefault();
      focusFirstFault(element.current, found);
    } else if (hold?.(() => element.current?.requestSubmit())) {
      event.preventDefault();
    }
  }

  function forget() {
    draft.forget();
    setValues(initial);
    onTaken?.();
  }

  return (
    <Form method="post" ref={element} noValidate onSubmit={submit} className={aside ? classes.beside : undefined}>
      <FormStateProvider value={state}>
        <Stack gap={28}>
          {draft.restoredAt && <RestoredNotice at={draft.restoredAt} onKeep={draft.dismiss} onForget={forget} />}
          {refusal?.message && (
            <Alert color="red" variant="light" role="alert">
              {refusal.message}
            </Alert>
          )}
          {children}
        </Stack>
        {aside}
      </FormStateProvider>
    </Form>
  );
}

function firstOf(refusal: FormFailure | undefined): Faults {
  const entries = Object.entries(refusal?.fields ?? {}).flatMap(([name, [first]]) => (first ? [[name, first]] : []));
  return Object.fromEntries(entries);
}

/** Keys of uploads are kept by the uploads themselves (features/upload), with what is needed to go on with them. */
function withoutUploads(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.endsWith('Key')));
}

/** The button that sends a form; it turns while the server thinks. */
export function SubmitButton({ children, intent }: { children: ReactNode; intent?: string }) {
  const { state, formMethod, formData } = useNavigation();
  const sending = state !== 'idle' && formMethod === 'POST' && (!intent || formData?.get('intent') === intent);
  return (
    <Button type="submit" loading={sending} name={intent ? 'intent' : undefined} value={intent}>
      {children}
    </Button>
  );
}
