import { Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useCallback, useRef } from 'react';
import { Alert } from '~/app/components/alert';
import { FormStateProvider } from '~/app/components/form-context';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { checkForm, type FieldErrors, type FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { OFFLINE, useRetry } from '~/app/lib/offline';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { useHydrated } from '~/app/lib/use-hydrated';
import classes from './draft-form.module.css';
import { focusFirstError } from './form-elements';
import { RestoredNotice } from './restored-notice';
import { type SharedErrors, useFormValues } from './use-form-values';
import { type LoadRules, useRules } from './use-rules';

type Props = {
  /** Identifies the draft. Each object that can be edited has its own. */
  form: string;
  initial: FormValues;
  /** Loaded when the user begins to fill in the form. */
  rules: LoadRules;
  required: readonly string[];
  failure?: FormFailure;
  children: ReactNode;
  /** Shown beside the fields on wide screens, with access to the form's values. */
  aside?: ReactNode;
  /** Checks what the schema can't express, such as two fields that depend on each other. */
  check?: (values: FormValues) => FieldErrors;
  sharedErrors?: SharedErrors;
  /** Fields whose errors are temporary, such as files that are still uploading. */
  ignoreFields?: readonly string[];
  /** Runs after validation. Returning true stops the submission; calling `submit` resumes it, e.g. after an upload. */
  beforeSubmit?: (submit: () => void) => boolean;
  /** Runs when the server has accepted the form, or when the user has discarded the draft. */
  onSubmitted?: () => void;
};

/**
 * A form that saves a draft while the user types, validates like the server, and focuses the first error. Without
 * JavaScript, the form itself contains the files.
 */
export function DraftForm({
  rules: loadRules,
  required,
  check,
  ignoreFields = [],
  beforeSubmit,
  children,
  aside,
  ...rest
}: Props) {
  const { t } = useTranslation('errors');
  const isHydrated = useHydrated();
  const element = useRef<HTMLFormElement>(null);
  const form = useFormValues(element, rest);
  const { values, errors, draft } = form;
  const rules = useRules(loadRules);
  const resubmit = useCallback(() => element.current?.requestSubmit(), []);
  const isOffline = rest.failure?.code === OFFLINE;
  useRetry(isOffline, resubmit);
  usePlanLimitOf(rest.failure);
  /** The form is submitted when its rules have loaded; further clicks must not submit it again. */
  const isHeld = useRef(false);

  function submitWithRules({ submitter }: SubmitEvent) {
    if (isHeld.current) return;
    isHeld.current = true;
    void rules.load().then(() => {
      isHeld.current = false;
      element.current?.requestSubmit(submitter);
    });
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    const known = rules.current();
    if (!known) {
      event.preventDefault();
      submitWithRules(event.nativeEvent as SubmitEvent);
      return;
    }
    const { schema, errorsOf } = known;
    const ofSchema = schema ? checkForm(schema, values, required, t) : {};
    const found = Object.entries({ ...ofSchema, ...errorsOf?.(values, t), ...check?.(values) });
    const fieldErrors = Object.fromEntries(found.filter(([name]) => !ignoreFields.includes(name)));
    form.setErrors(fieldErrors);
    const isInvalid = Object.keys(fieldErrors).length > 0;
    if (isInvalid || beforeSubmit?.(() => element.current?.requestSubmit())) event.preventDefault();
    if (isInvalid) focusFirstError(element.current, fieldErrors);
  }

  return (
    <Form
      method="post"
      encType={isHydrated ? undefined : 'multipart/form-data'}
      ref={element}
      noValidate
      onSubmit={submit}
      onFocus={() => void rules.load()}
      className={aside ? classes.beside : undefined}
    >
      <FormStateProvider value={form}>
        <Stack gap={28}>
          {draft.restoredAt && (
            <RestoredNotice at={draft.restoredAt} onContinue={draft.dismiss} onStartOver={form.startOver} />
          )}
          {isOffline && <OfflineAlert />}
          <FormErrors message={rest.failure?.message} errors={errors} values={values} />
          {children}
        </Stack>
        {aside}
      </FormStateProvider>
    </Form>
  );
}

function OfflineAlert() {
  const { t } = useTranslation();
  return (
    <Alert color="yellow" variant="light" role="alert">
      {t('offline.form')}
    </Alert>
  );
}

/** Errors of the whole form, or of data without a field in it. */
function FormErrors({ message, errors, values }: { message?: string | null; errors: FieldErrors; values: FormValues }) {
  const otherErrors = Object.entries(errors).filter(([name]) => !(name in values));
  const messages = new Set([...(message ? [message] : []), ...otherErrors.map(([, error]) => error)]);
  if (messages.size === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {[...messages].join(' ')}
    </Alert>
  );
}
