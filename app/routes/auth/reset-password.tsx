import type { MetaFunction } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainPasswordField } from '~/app/features/listener/auth/plain-fields';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';

/** The target of the link in the email. Opening it does not use it up; saving the new password does. */
export const loader = page(async ({ api, context, url }) => {
  const token = url.searchParams.get('token') ?? '';
  const title = translator(context.language, 'auth')('reset.title');
  try {
    const { isUsable } = await api.accounts.passwordResetLink({ token });
    return { title, token, isUsable };
  } catch (error) {
    if (context.describeError(error).status >= 500) throw error;
    return { title, token, isUsable: false };
  }
});

export const action = form(({ api }, values) => api.accounts.resetPassword(values as never), {
  then: (_, { url }) => `${pathsFor(url).login()}?notice=password`,
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function ResetPassword() {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { token, isUsable } = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>() as FormFailure | undefined;
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t(isUsable ? 'reset.title' : 'reset.expired')}</h1>
        <p className="muted">{t(isUsable ? 'reset.lead' : 'reset.expiredText')}</p>
        {isUsable ? (
          <AuthForm failure={failure} submit={t('reset.submit')}>
            <input type="hidden" name="token" value={token} />
            <PlainPasswordField
              name="password"
              label={t('field.newPassword')}
              help={t('field.passwordHelp', { min: ACCOUNT_LIMITS.passwordMin })}
              autoComplete="new-password"
              required
            />
          </AuthForm>
        ) : (
          <Link className="button" to={paths.forgotPassword}>
            {t('reset.again')}
          </Link>
        )}
      </div>
    </SiteShell>
  );
}
