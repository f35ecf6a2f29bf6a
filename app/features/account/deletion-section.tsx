import { Alert, Button } from '@mantine/core';
import { Form } from '@remix-run/react';
import { TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { useTranslation } from '~/app/lib/translation';
import { SectionForm } from './section-form';

const EMPTY = { currentPassword: '', address: '' };

type Props = { dueAt: string | Date | null; hasPassword: boolean; isCreator: boolean; failure?: FormFailure };

/** Deletes the account, or shows until when that can be undone. */
export function DeletionSection({ dueAt, hasPassword, isCreator, failure }: Props) {
  const { t } = useTranslation('account');
  if (dueAt) return <ScheduledDeletion dueAt={dueAt} />;
  return (
    <SectionForm
      intent="delete"
      title={t('deletion.title')}
      initial={EMPTY}
      failure={failure}
      submit={t('deletion.submit')}
    >
      <p>{t('deletion.what')}</p>
      {isCreator && <p>{t('deletion.creator')}</p>}
      <p>{t('deletion.undo')}</p>
      {hasPassword ? (
        <TextField
          name="currentPassword"
          type="password"
          label={t('password.current')}
          autoComplete="current-password"
          required
        />
      ) : (
        <TextField name="address" type="email" label={t('deletion.address')} autoComplete="off" required />
      )}
    </SectionForm>
  );
}

function ScheduledDeletion({ dueAt }: { dueAt: string | Date }) {
  const { t, language } = useTranslation('account');
  const timeZone = useBrowserTimeZone() ?? 'UTC';
  const date = formatDateTime(new Date(dueAt), language, timeZone, true);
  return (
    <Section title={t('deletion.title')}>
      <Alert color="red" variant="light" role="status">
        {t('deletion.scheduled', { date })}
      </Alert>
      <Form method="post">
        <Button type="submit" name="intent" value="keep">
          {t('deletion.keep')}
        </Button>
      </Form>
    </Section>
  );
}
