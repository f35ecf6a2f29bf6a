import { Alert, Button, Stack } from '@mantine/core';
import { Form, useNavigation } from '@remix-run/react';
import { type FormEvent, type ReactNode, useRef } from 'react';
import type { ZodObject } from 'zod';
import { FormStateProvider } from '~/app/components/form-context';
import { checkForm, type Faults, type FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import classes from './drafted-form.module.css';
import { focusFirstFault } from './form-elements';
import { RestoredNotice } from './restored-notice';
import { useFormValues } from './use-form-values';

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
export function DraftedForm({ schema, required, check, forgive = '', hold, children, aside, ...about }: Props) {
  const { t } = useTranslation('errors');
  const element = useRef<HTMLFormElement>(null);
  const form = useFormValues(element, about);
  const { values, faults, draft } = form;

  function submit(event: FormEvent<HTMLFormElement>) {
    const { [forgive]: _, ...found } = { ...checkForm(schema, values, required, t), ...check?.(values) };
    form.setFaults(found);
    const isFaulty = Object.keys(found).length > 0;
    if (isFaulty || hold?.(() => element.current?.requestSubmit())) event.preventDefault();
    if (isFaulty) focusFirstFault(element.current, found);
  }

  return (
    <Form method="post" ref={element} noValidate onSubmit={submit} className={aside ? classes.beside : undefined}>
      <FormStateProvider value={form}>
        <Stack gap={28}>
          {draft.restoredAt && (
            <RestoredNotice at={draft.restoredAt} onKeep={draft.dismiss} onForget={form.startAnew} />
          )}
          <Whole message={about.refusal?.message} faults={faults} fields={values} />
          {children}
        </Stack>
        {aside}
      </FormStateProvider>
    </Form>
  );
}

/** What is wrong with the form as a whole, or with something that it has no field for. */
function Whole({ message, faults, fields }: { message?: string | null; faults: Faults; fields: FormValues }) {
  const strays = Object.entries(faults).filter(([name]) => !(name in fields));
  const sentences = new Set([...(message ? [message] : []), ...strays.map(([, sentence]) => sentence)]);
  if (sentences.size === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {[...sentences].join(' ')}
    </Alert>
  );
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
