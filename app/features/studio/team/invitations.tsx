import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { Form } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { InvitationView } from '~/server/domain/team/queries';
import classes from './team.module.css';

/** Invitations not yet accepted. */
export function Invitations({ invitations, failure }: { invitations: InvitationView[]; failure?: FormFailure }) {
  const { t } = useTranslation('team');
  const isOurs = failure?.values.intent === 'resend' || failure?.values.intent === 'revoke';
  return (
    <Section title={t('invitations.title')}>
      {isOurs && failure.message && (
        <p className={classes.message} role="alert">
          {failure.message}
        </p>
      )}
      <ul className={classes.rows}>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Section>
  );
}

function InvitationRow({ invitation: { id, email, role, expiresAt, isExpired } }: { invitation: InvitationView }) {
  const { t, locale } = useTranslation('team');
  const date = formatDateTime(new Date(expiresAt), locale, useCreatorTimeZone(), true);
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <p className={classes.name}>{email}</p>
        <p className={classes.fact}>
          {t(`role.${role}`)} · {t(isExpired ? 'invitations.expired' : 'invitations.until', { date })}
        </p>
      </div>
      <div className={classes.actions}>
        <Form method="post">
          <input type="hidden" name="id" value={id} />
          <IntentButton intent="resend" label={t('invitations.resendTo', { email })}>
            {t('invitations.resend')}
          </IntentButton>
          <IntentButton intent="revoke" label={t('invitations.revokeOf', { email })}>
            {t('invitations.revoke')}
          </IntentButton>
        </Form>
      </div>
    </li>
  );
}
