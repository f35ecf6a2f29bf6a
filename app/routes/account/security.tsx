import type { HeadersFunction } from '@remix-run/node';
import { useState } from 'react';
import { ConnectionsSection } from '~/app/features/listener/account/connections-section';
import { EmailSection } from '~/app/features/listener/account/email-section';
import { PasskeysSection } from '~/app/features/listener/account/passkeys-section';
import { PasswordSection } from '~/app/features/listener/account/password-section';
import { SessionsSection } from '~/app/features/listener/account/sessions-section';
import classes from '~/app/features/listener/account/settings.module.css';
import { TwoFactorSection } from '~/app/features/listener/account/two-factor-section';
import { AppsSection } from '~/app/features/listener/apps/apps-section';
import { identityNotice } from '~/app/features/listener/auth/identity-notice.server';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { useStudio } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { type AfterTwoFactor, type ShownCodes, TWO_FACTOR_SECTIONS } from '~/app/lib/two-factor-sections.server';

export const loader = page(async (door) => {
  const { api, context } = door;
  return {
    security: await api.accounts.security(),
    secondFactor: await api.accounts.secondFactor(),
    sessions: await api.accounts.sessions(),
    emailChange: await api.accounts.emailChange(),
    connections: await api.identities.list(),
    notice: identityNotice(door),
    title: translator(context.language, 'account')('tabs.security'),
  };
});

export const action = form(
  sectionAction<string | AfterTwoFactor>({
    ...TWO_FACTOR_SECTIONS,
    password: async ({ api }, values) => {
      await api.accounts.changePassword(values as never);
      return 'password_changed';
    },
    email: async ({ api }, values) => {
      await api.accounts.requestEmailChange(values as never);
      return 'email_change_sent';
    },
    cancelEmail: async ({ api }) => {
      await api.accounts.cancelEmailChange();
      return 'email_change_cancelled';
    },
    endSession: async ({ api }, values) => {
      await api.accounts.endSession(values as never);
      return 'session_ended';
    },
    unlink: async ({ api }, values) => {
      await api.identities.unlink(values as never);
      return 'identity_unlinked';
    },
    endOthers: async ({ api }) => {
      await api.accounts.endOtherSessions();
      return 'sessions_ended';
    },
  }),
  {
    then: (done, { url }) => {
      if (typeof done === 'string') return withDoneMessage(pathsFor(url).security, done);
      return 'path' in done ? done.path : Response.json(done);
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;
/** During set-up, the page contains the secret of the authenticator app. */
export const headers: HeadersFunction = () => ({ 'cache-control': 'no-store' });

export default function Security() {
  const { user } = useStudio();
  const { security, secondFactor, sessions, emailChange, connections, notice } = useLoaderData<typeof loader>();
  const answer = useActionData<FormFailure | ShownCodes>();
  const failure = answer && 'fields' in answer ? answer : undefined;
  const [passkeyCodes, setPasskeyCodes] = useState<string[] | null>(null);
  const recoveryCodes = answer && 'recoveryCodes' in answer ? answer.recoveryCodes : passkeyCodes;
  return (
    <div className={classes.sections}>
      <TwoFactorSection
        state={secondFactor}
        isCreator={user.type === 'creator'}
        recoveryCodes={recoveryCodes}
        failure={failure}
      />
      <PasskeysSection state={secondFactor} onRecoveryCodes={setPasskeyCodes} failure={failure} />
      <PasswordSection hasPassword={security.hasPassword} state={secondFactor} failure={failure} />
      <EmailSection email={user.email} change={emailChange} failure={failure} />
      <ConnectionsSection
        connections={connections}
        notice={failure?.values.intent === 'unlink' ? failure.message : notice}
      />
      <SessionsSection sessions={sessions} />
      {user.creator && <AppsSection />}
    </div>
  );
}
