import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Button } from '~/app/components/button';
import { Dialog } from '~/app/components/confirm-dialog';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { TEAM_ROLES } from '~/server/domain/team/kinds';
import type { MemberView, TeamView } from '~/server/domain/team/queries';
import classes from './team.module.css';

const OURS = ['role', 'remove', 'leave'];

/** The owner and the members. Only the owner changes roles and removes members; members can leave. */
export function People({ team, failure }: { team: TeamView; failure?: FormFailure }) {
  const { t } = useTranslation('team');
  return (
    <Section title={t('people.title')}>
      {failure?.message && OURS.includes(failure.values.intent ?? '') && (
        <p className={classes.message} role="alert">
          {failure.message}
        </p>
      )}
      <ul className={classes.rows}>
        {team.people.map((person) => (
          <li key={person.userId} className={classes.row}>
            <div className={classes.who}>
              <p className={classes.name}>{person.name}</p>
              <p className={classes.fact}>{[t(`role.${person.role}`), person.email].filter(Boolean).join(' · ')}</p>
            </div>
            {team.canManage && person.role !== 'owner' && <MemberActions person={person} />}
          </li>
        ))}
      </ul>
      {!team.canManage && <Leave />}
    </Section>
  );
}

function MemberActions({ person: { userId, name, role } }: { person: MemberView }) {
  const { t } = useTranslation('team');
  return (
    <div className={classes.actions}>
      <Form method="post">
        <input type="hidden" name="userId" value={userId} />
        <NativeSelect
          key={role}
          name="role"
          defaultValue={role}
          size="xs"
          aria-label={t('people.roleOf', { name })}
          data={TEAM_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
        />
        <IntentButton intent="role" label={t('people.saveRoleOf', { name })}>
          {t('people.saveRole')}
        </IntentButton>
      </Form>
      <Confirmed intent="remove" userId={userId} label={t('people.remove')} question={t('people.removeAsk', { name })}>
        {t('people.removeText')}
      </Confirmed>
    </div>
  );
}

function Leave() {
  const { t } = useTranslation('team');
  return (
    <Confirmed intent="leave" label={t('people.leave')} question={t('people.leaveAsk')}>
      {t('people.leaveText')}
    </Confirmed>
  );
}

type ConfirmedProps = { intent: string; userId?: number; label: string; question: string; children: string };

/** Asks for confirmation; without JavaScript, the button submits at once. */
function Confirmed({ intent, userId, label, question, children }: ConfirmedProps) {
  const { t } = useTranslation('team');
  const [asks, setAsks] = useState(false);
  const form = `${intent}-${userId ?? 'me'}`;
  return (
    <Form method="post" id={form} onSubmit={() => setAsks(false)}>
      {userId && <input type="hidden" name="userId" value={userId} />}
      <Button
        type="submit"
        name="intent"
        value={intent}
        variant="default"
        size="compact-md"
        aria-label={userId ? question : undefined}
        onClick={(event) => {
          event.preventDefault();
          setAsks(true);
        }}
      >
        {label}
      </Button>
      <Dialog open={asks} title={question} onClose={() => setAsks(false)}>
        <p>{children}</p>
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setAsks(false)}>
            {t('people.cancel')}
          </Button>
          <Button type="submit" form={form} name="intent" value={intent} color="red" variant="outline">
            {label}
          </Button>
        </div>
      </Dialog>
    </Form>
  );
}
