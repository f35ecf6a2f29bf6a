import type { MetaFunction } from '@remix-run/node';
import { data } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { AuthForm } from '~/app/features/auth/auth-form';
import { SiteShell } from '~/app/features/site/site-shell';
import { form, page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/** The target of the link in the email. It verifies the address at once; an expired link offers a new one. */
export const loader = page(async ({ api, context, url }) => {
  const token = url.searchParams.get('token');
  const base = {
    isLoggedIn: context.actor.type === 'user',
    inboxUrl: context.inboxUrl,
    title: translator(context.language, 'auth')('verify.title'),
  };
  if (!token) return { ...base, state: 'waiting' as const, email: '' };
  try {
    const { email } = await api.accounts.verifyEmail({ token });
    return { ...base, state: 'done' as const, email };
  } catch (error) {
    if (context.describeError(error).kind !== 'expired') throw error;
    return { ...base, state: 'expired' as const, email: '' };
  }
});

export const action = form(({ api }) => api.accounts.resendVerification(), {
  then: () => data({ ok: true as const }) as never,
});

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function VerifyEmail() {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { state, email, isLoggedIn, inboxUrl } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as { ok: boolean } | undefined;
  const heading = { done: 'verify.done', expired: 'verify.expired', waiting: 'verify.title' }[state];
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t(heading)}</h1>
        {state === 'done' && <p className="lead">{t('verify.doneText', { email })}</p>}
        {state === 'expired' && <p className="lead">{t('verify.expiredText')}</p>}
        {state === 'waiting' && <p className="lead">{t('verify.waiting')}</p>}
        {result?.ok && (
          <p className="notice" role="status">
            {t('verify.sent')}
          </p>
        )}
        <div className="form">
          {state === 'done' && (
            <Link className="button" to={paths.dashboard}>
              {t('verify.next')}
            </Link>
          )}
          {state !== 'done' && !isLoggedIn && (
            <Link className="button" to={paths.login(paths.verifyEmail)}>
              {t('verify.loginFirst')}
            </Link>
          )}
        </div>
        {state !== 'done' && isLoggedIn && !result?.ok && (
          <AuthForm failure={undefined} submit={t('verify.resend')}>
            {null}
          </AuthForm>
        )}
        {state !== 'done' && inboxUrl && (
          <p className="form-foot">
            <a href={inboxUrl}>{t('verify.inbox')}</a>
          </p>
        )}
      </div>
    </SiteShell>
  );
}
