import type { MetaFunction } from '@remix-run/node';
import { data } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { safeNext, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/** The target of the link in the email. Only its button verifies the address, because mail scanners also open links. */
export const loader = page(async ({ api, context, url }) => {
  const token = url.searchParams.get('token');
  const base = {
    next: safeNext(url.searchParams.get('next'), context.urls.settings),
    isLoggedIn: context.actor.type === 'user',
    inboxUrl: context.inboxUrl,
    title: translator(context.language, 'auth')('verify.title'),
    token,
    link: null,
  };
  if (!token) {
    const isVerified = base.isLoggedIn && (await api.accounts.me()).isEmailVerified;
    return { ...base, state: isVerified ? ('done' as const) : ('waiting' as const) };
  }
  try {
    const { isVerified, isOfSession } = await api.accounts.verificationLink({ token });
    if (isVerified) return { ...base, state: 'done' as const };
    const state = isOfSession ? ('ready' as const) : ('elsewhere' as const);
    return { ...base, state, link: url.pathname + url.search };
  } catch (error) {
    if (context.describeError(error).kind !== 'expired') throw error;
    return { ...base, state: 'expired' as const };
  }
});

/** Verifies the address by the form's token or code, or, without one, sends the current user a new link and code. */
export const action = form(
  async ({ api }, { token, code }) => {
    if (token) await api.accounts.verifyEmail({ token });
    else if (code !== undefined) await api.accounts.verifyByCode({ code });
    else await api.accounts.resendVerification();
  },
  { then: () => data({ ok: true as const }) as never },
);

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function VerifyEmail() {
  const { t } = useTranslation('auth');
  const { state, isLoggedIn, inboxUrl } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | { ok: true } | undefined;
  const heading = { done: 'verify.done', expired: 'verify.expired' } as Record<string, string>;
  const text = {
    done: 'verify.doneText',
    expired: isLoggedIn ? 'verify.expiredText' : 'verify.expiredOut',
    ready: 'verify.ready',
    elsewhere: 'verify.elsewhere',
    waiting: 'verify.waiting',
  };
  const isUnfinished = state === 'expired' || state === 'waiting';
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t(heading[state] ?? 'verify.title')}</h1>
        <p className="lead">{t(text[state])}</p>
        {isUnfinished && result?.ok && (
          <p className="notice" role="status">
            {t('verify.sent')}
          </p>
        )}
        <NextStep failure={result?.ok ? undefined : result} isSent={result?.ok === true} />
        {isUnfinished && isLoggedIn && inboxUrl && (
          <p className="form-foot">
            <a href={inboxUrl}>{t('verify.inbox')}</a>
          </p>
        )}
      </div>
    </SiteShell>
  );
}

/** The one next action: verify, continue, or get another link. */
function NextStep({ failure, isSent }: { failure?: FormFailure; isSent: boolean }) {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { state, token, link, isLoggedIn, next } = useLoaderData<typeof loader>();
  if (state === 'done')
    return (
      <p className="actions">
        <Link className="button" to={next ?? paths.dashboard}>
          {t('verify.next')}
        </Link>
      </p>
    );
  if (state === 'ready')
    return (
      <AuthForm failure={failure} submit={t('verify.confirm')}>
        <input type="hidden" name="token" value={token ?? ''} />
      </AuthForm>
    );
  if (state === 'elsewhere')
    return (
      <>
        <p className="actions">
          <Link className="button" to={isLoggedIn ? paths.logout : paths.login(link ?? undefined)}>
            {t(isLoggedIn ? 'verify.logout' : 'verify.loginHere')}
          </Link>
        </p>
        <p className="form-foot">
          {t('verify.noPassword')} <Link to={paths.forgotPassword}>{t('verify.newPassword')}</Link>
        </p>
      </>
    );
  if (!isLoggedIn)
    return (
      <p className="actions">
        <Link className="button" to={paths.login(paths.verifyEmail)}>
          {t('verify.loginFirst')}
        </Link>
      </p>
    );
  const isAboutCode = failure?.fields.code !== undefined;
  return (
    <>
      <AuthForm failure={isAboutCode ? failure : undefined} submit={t('verify.confirm')}>
        <PlainTextField
          name="code"
          label={t('verify.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          defaultValue=""
        />
      </AuthForm>
      {!isSent && (
        <AuthForm failure={isAboutCode ? undefined : failure} submit={t('verify.resend')} isSecondary>
          {null}
        </AuthForm>
      )}
    </>
  );
}
