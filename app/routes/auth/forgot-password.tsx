import type { MetaFunction } from '@remix-run/node';
import { data } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(({ context }) => ({
  inboxUrl: context.inboxUrl,
  title: translator(context.language, 'auth')('forgot.title'),
}));

export const action = form(({ api }, values) => api.accounts.requestPasswordReset(values as never), {
  then: () => data({ ok: true as const }) as never,
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function ForgotPassword() {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { inboxUrl } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | { ok: true } | undefined;
  const isSent = result?.ok === true;
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t(isSent ? 'forgot.sent' : 'forgot.title')}</h1>
        <p className="muted" role={isSent ? 'status' : undefined}>
          {t(isSent ? 'forgot.sentText' : 'forgot.lead')}
        </p>
        {!isSent && (
          <AuthForm failure={result?.ok ? undefined : result} submit={t('forgot.submit')}>
            <PlainTextField name="email" type="email" label={t('field.email')} autoComplete="username" required />
          </AuthForm>
        )}
        {isSent && inboxUrl && (
          <p>
            <a href={inboxUrl}>{t('verify.inbox')}</a>
          </p>
        )}
        <p className="form-foot">
          <Link to={paths.login()}>{t('forgot.back')}</Link>
        </p>
      </div>
    </SiteShell>
  );
}
