import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { TextField } from '~/app/components/fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { EmailChange } from '~/server/domain/accounts/settings/email-change';
import { SectionForm } from './section-form';
import classes from './settings.module.css';

type Props = { email: string; change: EmailChange | null; failure?: FormFailure };
const EMPTY = { email: '' };

/** The email address, and a change that waits for confirmation at both addresses. */
export function EmailSection({ email, change, failure }: Props) {
  const { t } = useTranslation('account');
  return (
    <div className={classes.part}>
      <SectionForm intent="email" title={t('email.title')} initial={EMPTY} failure={failure} submit={t('email.submit')}>
        <p className={classes.name}>{t('email.current', { email })}</p>
        {change && <PendingChange email={email} change={change} />}
        <TextField
          name="email"
          type="email"
          label={t('email.new')}
          help={t('email.help')}
          autoComplete="email"
          required
        />
      </SectionForm>
      {change && (
        <Form method="post">
          <Button type="submit" name="intent" value="cancelEmail" variant="subtle" color="gray">
            {t('email.cancel')}
          </Button>
        </Form>
      )}
    </div>
  );
}

function PendingChange({ email, change }: { email: string; change: EmailChange }) {
  const { t } = useTranslation('account');
  const missing = [...(change.isNewConfirmed ? [] : [change.newEmail]), ...(change.isOldConfirmed ? [] : [email])];
  return (
    <Alert color="blue" variant="light" role="status">
      {t('email.pending', { email: change.newEmail })}{' '}
      {missing.map((address) => t('email.waits', { address })).join(' ')}
    </Alert>
  );
}
