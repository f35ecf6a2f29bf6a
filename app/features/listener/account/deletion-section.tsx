import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { DeletionState } from '~/server/domain/accounts/settings/delete-account';
import { SectionForm } from './section-form';
import classes from './settings.module.css';

const EMPTY = { currentPassword: '', address: '', code: '' };

type Props = { state: DeletionState; isCreator: boolean; failure?: FormFailure };

/** Deletes the account, or shows how long the deletion can be undone. */
export function DeletionSection({ state: { dueAt, proof }, isCreator, failure }: Props) {
  const { t } = useTranslation('account');
  if (dueAt) return <ScheduledDeletion dueAt={dueAt} />;
  return (
    <SectionForm
      intent="delete"
      title={t('deletion.title')}
      initial={EMPTY}
      failure={failure}
      submit={t('deletion.submit')}
      destroys
    >
      <p className={classes.name}>{t('deletion.what')}</p>
      {isCreator && <p className={classes.name}>{t('deletion.creator')}</p>}
      <p className={classes.name}>{t('deletion.undo')}</p>
      <ProofField proof={proof} />
    </SectionForm>
  );
}

/** Users prove a passkey on the security page; this form then needs no further proof for ten minutes. */
function ProofField({ proof }: { proof: DeletionState['proof'] }) {
  const { t } = useTranslation('account');
  const paths = usePaths();
  if (proof === 'password')
    return (
      <TextField
        name="currentPassword"
        type="password"
        label={t('password.current')}
        autoComplete="current-password"
        required
      />
    );
  if (proof === 'address')
    return <TextField name="address" type="email" label={t('deletion.address')} autoComplete="off" required />;
  if (proof === null) return null;
  return (
    <>
      <TextField
        name="code"
        label={t('deletion.code')}
        help={t('deletion.codeHelp')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
      />
      <p className={classes.name}>
        <Link to={paths.security}>{t('deletion.passkey')}</Link>
      </p>
    </>
  );
}

function ScheduledDeletion({ dueAt }: { dueAt: Date }) {
  const { t, locale } = useTranslation('account');
  const timeZone = useBrowserTimeZone() ?? 'UTC';
  const date = formatDateTime(dueAt, locale, timeZone, true);
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
