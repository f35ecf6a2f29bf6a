import type { MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PasskeyButton } from '~/app/features/listener/auth/passkey-button';
import { PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { afterLogIn, passkeyOr, startAgain } from '~/app/lib/log-in.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/** The second step of a log-in, for accounts with a second factor. */
export const loader = page(async (door) => {
  const { api, context } = door;
  if (context.actor.type === 'user') throw redirect(afterLogIn(door));
  try {
    const { authenticator, passkeys } = await api.accounts.pendingLogIn();
    const title = translator(context.language, 'auth')('code.title');
    return { title, authenticator, hasPasskey: passkeys > 0 };
  } catch (error) {
    if (context.describeError(error).kind === 'expired') throw redirect(startAgain(door));
    throw error;
  }
});

export const action = form(
  passkeyOr(({ api }, values) => api.accounts.finishLogIn(values as never)),
  { then: (_, door) => afterLogIn(door), redirects: { 'account.log_in_expired': startAgain } },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function LoginCode() {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { authenticator, hasPasskey } = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>() as FormFailure | undefined;
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t('code.title')}</h1>
        <p className="muted">{t(authenticator ? 'code.lead' : 'code.leadPasskey')}</p>
        {hasPasskey && <PasskeyButton />}
        <AuthForm failure={failure} submit={t('code.submit')}>
          <PlainTextField
            name="code"
            label={t(authenticator ? 'code.field' : 'code.recovery')}
            help={t(authenticator ? 'code.help' : 'code.helpRecovery')}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            required
          />
        </AuthForm>
        <p className="form-foot">
          <Link to={paths.login()}>{t('code.back')}</Link>
        </p>
      </div>
    </SiteShell>
  );
}
