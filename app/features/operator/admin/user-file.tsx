import { Section } from '~/app/components/page-header';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';
import type { AccountFile } from '~/server/domain/console/accounts';
import classes from './admin.module.css';
import { ConsoleFacts, Operations } from './console-facts';
import { ConsoleTable } from './console-table';
import { ConfirmedForm, RowButton } from './row-forms';
import { useTime } from './use-time';

/** An account, and the operator's actions on it. */
export function UserFile({ user }: { user: AccountFile }) {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  const time = useTime();
  const yes = (is: boolean) => t(is ? 'yes' : 'no');
  const { creator } = user;
  return (
    <>
      <ConsoleFacts
        facts={[
          [t('users.id'), user.id],
          [t('users.email'), user.email],
          [t('users.name'), user.name],
          [t('users.created'), time(user.createdAt)],
          [t('users.verified'), time(user.emailVerifiedAt) ?? t('no')],
          [t('users.suspended'), time(user.suspendedAt)],
          [t('users.deletionDue'), time(user.deletionDueAt)],
          [t('users.deleted'), time(user.deletedAt)],
          [t('users.password'), yes(user.hasPassword)],
          [t('users.secondFactor'), yes(user.hasSecondFactor)],
          [t('users.sessions'), user.sessions],
          [t('users.creator'), creator && <Link to={paths.admin(`/creators/${creator.id}`)}>{creator.domain}</Link>],
        ]}
      />
      {user.deletedAt === null && <UserActions user={user} />}
      <Subscriptions subscriptions={user.subscriptions} />
      <Operations operations={user.operations} />
    </>
  );
}

function UserActions({ user }: { user: AccountFile }) {
  const { t } = useTranslation('admin');
  return (
    <Section title={t('actions')}>
      <div className={classes.actions}>
        {user.emailVerifiedAt === null && <RowButton intent="verify">{t('users.verify')}</RowButton>}
        <RowButton intent="passwordLink">{t('users.passwordLink')}</RowButton>
        {user.sessions > 0 && <RowButton intent="endSessions">{t('users.endSessions')}</RowButton>}
        {user.suspendedAt !== null && <RowButton intent="unsuspend">{t('users.unsuspend')}</RowButton>}
      </div>
      {user.suspendedAt === null && (
        <ConfirmedForm intent="suspend" title={t('users.suspendTitle')} effects={t('users.suspendEffects')} needsReason>
          {t('users.suspend')}
        </ConfirmedForm>
      )}
    </Section>
  );
}

function Subscriptions({ subscriptions }: Pick<AccountFile, 'subscriptions'>) {
  const { t, locale } = useTranslation('admin');
  const time = useTime();
  return (
    <div className={classes.section}>
      <Section title={t('subscriptions.title')}>
        <ConsoleTable
          label={t('subscriptions.title')}
          rows={subscriptions}
          keyOf={({ id }) => id}
          columns={[
            {
              name: t('subscriptions.what'),
              cell: ({ show, purpose }) => <bdi>{show ?? t(`subscriptions.${purpose}`)}</bdi>,
            },
            { name: t('subscriptions.provider'), cell: ({ providerId }) => providerId, wraps: true },
            { name: t('subscriptions.status'), cell: ({ status }) => t(`subscriptions.states.${status}`) },
            {
              name: t('subscriptions.price'),
              cell: ({ priceMinor, currency, every }) =>
                t(`subscriptions.every.${every}`, { price: formatMoney({ minor: priceMinor, currency }, locale) }),
            },
            {
              name: t('subscriptions.until'),
              cell: ({ endedAt, endsAt, periodEnd }) => time(endedAt ?? endsAt ?? periodEnd),
            },
          ]}
        />
      </Section>
    </div>
  );
}
