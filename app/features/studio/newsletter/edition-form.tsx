import { Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { FormStateProvider } from '~/app/components/form-context';
import { SubmitButton } from '~/app/components/submit-button';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { EditionView } from '~/server/domain/newsletter/list-editions';
import classes from './newsletter.module.css';
import { useAutosave } from './use-autosave';

type Props = {
  edition: EditionView;
  initial: Record<string, string>;
  failure?: FormFailure;
  submit: string;
  onTitle?: (title: string) => void;
  children: ReactNode;
};

/**
 * A step of an edition's form. It saves while the user types and shows whether it has; its button saves and opens the next
 * step. Without JavaScript, only the button saves.
 */
export function EditionForm({ edition, initial, failure, submit, onTitle, children }: Props) {
  const element = useRef<HTMLFormElement>(null);
  const form = useAutosave({ id: edition.id, revision: edition.revision, initial, failure });

  const { title } = form.values;
  useEffect(() => void (title !== undefined && onTitle?.(title)), [title, onTitle]);

  function wait(event: FormEvent<HTMLFormElement>) {
    const saving = form.pending();
    if (!saving) return form.submit();
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    void saving.then(() => element.current?.requestSubmit(submitter));
  }

  return (
    <Form method="post" ref={element} onSubmit={wait} noValidate>
      <FormStateProvider value={{ ...form, setDefault: form.setValue }}>
        <Stack gap={24}>
          {failure?.message && (
            <Alert color="red" variant="light" role="alert">
              {failure.message}
            </Alert>
          )}
          <input type="hidden" name="revision" value={form.revision} />
          {children}
          <div className={classes.submit}>
            <SubmitButton>{submit}</SubmitButton>
            <SaveNote state={form.state} choice={form.choice} />
          </div>
        </Stack>
      </FormStateProvider>
    </Form>
  );
}

/** Whether the text is safe, without moving anything. */
function SaveNote({ state, choice }: Pick<ReturnType<typeof useAutosave>, 'state' | 'choice'>) {
  const { t } = useTranslation('editions');
  if (state === 'changed')
    return (
      <Alert color="red" variant="light" role="alert">
        <p>{t('changedElsewhere')}</p>
        <div className={classes.actions}>
          <Button type="button" variant="default" disabled={choice === null} onClick={choice?.keepMine}>
            {t('keepMine')}
          </Button>
          <Button type="button" variant="default" disabled={choice === null} onClick={choice?.takeTheirs}>
            {t('takeTheirs')}
          </Button>
        </div>
      </Alert>
    );
  const text = { unchanged: '', saving: t('saving'), saved: t('saved'), failed: t('notSaved'), refused: t('refused') }[
    state
  ];
  return (
    <p className={classes.fact} role="status">
      {text}
    </p>
  );
}
