import type { MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { identityNotice } from '~/app/features/listener/auth/identity-notice.server';
import { LoginNotice } from '~/app/features/listener/auth/login-notice';
import { placeOf } from '~/app/features/listener/auth/next-place.server';
import { OtherLogins } from '~/app/features/listener/auth/other-logins';
import { PasskeyButton } from '~/app/features/listener/auth/passkey-button';
import { PlainPasswordField, PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { form, page } from '~/app/lib/doors.server';
import { afterLogIn, passkeyOr, toLoginCode } from '~/app/lib/log-in.server';
import { pathsFor, safeNext, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(async (door) => {
  const { api, context, url } = door;
  const next = safeNext(url.searchParams.get('next'), context.urls.settings);
  if (context.actor.type === 'user') throw redirect(next ?? pathsFor(url).dashboard);
  const notice = url.searchParams.get('notice');
  const title = translator(context.language, 'auth')('login.title');
  const place = next ? placeOf(next) : 'home';
  return { next, place, notice, problem: identityNotice(door), providers: await api.identities.providers(), title };
});

export const action = form(
  passkeyOr(({ api }, values) => api.accounts.logIn(values as never)),
  { then: (_, door) => afterLogIn(door), redirects: { 'account.second_factor_required': toLoginCode } },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function Login() {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { next, place, notice, problem, providers } = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>();
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t('login.title')}</h1>
        {place !== 'home' && <p className="muted">{t(`next.${place}`)}</p>}
        <LoginNotice notice={notice} />
        {problem && (
          <p className="notice bad" role="alert">
            {problem}
          </p>
        )}
        <AuthForm failure={failure} submit={t('login.submit')}>
          <PlainTextField name="email" type="email" label={t('field.email')} autoComplete="username" required />
          <PlainPasswordField name="password" label={t('field.password')} autoComplete="current-password" required />
        </AuthForm>
        <OtherLogins providers={providers} next={next} />
        <PasskeyButton />
        <p className="form-foot">
          <Link to={paths.forgotPassword}>{t('login.forgot')}</Link>
        </p>
        <p className="form-foot">
          {t('login.newHere')} <Link to={paths.register(next ?? undefined)}>{t('login.register')}</Link>
        </p>
      </div>
    </SiteShell>
  );
}
