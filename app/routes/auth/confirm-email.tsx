import type { MetaFunction } from '@remix-run/node';
import { data } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/** The path names the old or the new address: `/confirm-email/new?token=…`. */
const linkOf = ({ params, url }: Door) =>
  ({ token: url.searchParams.get('token') ?? '', side: params.side }) as { token: string; side: 'old' | 'new' };

/**
 * The target of the links that confirm a change of address. Only the button confirms it, because mail scanners also
 * open links.
 */
export const loader = page(async (door) => {
  const title = translator(door.context.language, 'auth')('change.title');
  const isLoggedIn = door.context.actor.type === 'user';
  try {
    const { newEmail, mayConfirm } = await door.api.accounts.emailChangeLink(linkOf(door));
    return {
      title,
      isLoggedIn,
      newEmail,
      login: mayConfirm ? null : pathsFor(door.url).login(door.url.pathname + door.url.search),
    };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title, isLoggedIn, newEmail: null, login: null };
  }
});

export const action = form((door) => door.api.accounts.confirmEmailChange(linkOf(door)), {
  then: ({ isDone }) => data({ ok: true as const, isDone }) as never,
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function ConfirmEmail() {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { newEmail, login } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | { ok: true; isDone: boolean } | undefined;
  const isReady = !result?.ok && newEmail !== null;
  if (isReady && login) return <LogInFirst login={login} />;
  const outcome = result?.ok ? (result.isDone ? 'change.done' : 'change.half') : 'change.expired';
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t('change.title')}</h1>
        <p className="lead" role={result?.ok ? 'status' : undefined}>
          {isReady ? t('change.lead', { email: newEmail }) : t(outcome)}
        </p>
        {isReady ? (
          <AuthForm failure={result?.ok ? undefined : result} submit={t('change.confirm')}>
            {null}
          </AuthForm>
        ) : (
          <Link className="button" to={paths.security}>
            {t('change.settings')}
          </Link>
        )}
      </div>
    </SiteShell>
  );
}

/** The new address joins an account only in a session of that account. */
function LogInFirst({ login }: { login: string }) {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { isLoggedIn } = useLoaderData<typeof loader>();
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t('change.title')}</h1>
        <p className="lead">{t('change.elsewhere')}</p>
        <Link className="button" to={isLoggedIn ? paths.logout : login}>
          {t(isLoggedIn ? 'verify.logout' : 'login.submit')}
        </Link>
      </div>
    </SiteShell>
  );
}
