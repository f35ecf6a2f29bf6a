import type { MetaFunction } from '@remix-run/node';
import { data } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { AuthForm } from '~/app/features/auth/auth-form';
import { SiteShell } from '~/app/features/site/site-shell';
import { form, page } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/i18n.server';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';

/** The link of the mail: verifies the address at once; a link that is over says so and offers another. */
export const loader = page(async ({ api, context, url }) => {
  const token = url.searchParams.get('token');
  const facts = {
    isLoggedIn: context.actor.type === 'user',
    inboxUrl: context.inboxUrl,
    title: translator(context.language, 'auth')('verify.title'),
  };
  if (!token) return { ...facts, state: 'waiting' as const, email: '' };
  try {
    const { email } = await api.accounts.verifyEmail({ token });
    return { ...facts, state: 'done' as const, email };
  } catch (error) {
    if (context.explain(error).kind !== 'expired') throw error;
    return { ...facts, state: 'expired' as const, email: '' };
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
  const answer = useActionData<typeof action>() as { ok: boolean } | undefined;
  const heading = { done: 'verify.done', expired: 'verify.expired', waiting: 'verify.title' }[state];
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t(heading)}</h1>
        {state === 'done' && <p className="lead">{t('verify.doneText', { email })}</p>}
        {state === 'expired' && <p className="lead">{t('verify.expiredText')}</p>}
        {state === 'waiting' && <p className="lead">{t('verify.waiting')}</p>}
        {answer?.ok && (
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
        {state !== 'done' && isLoggedIn && !answer?.ok && (
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
