import type { MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { ConsentFields } from '~/app/features/listener/auth/consent-fields';
import { withNotice } from '~/app/features/listener/auth/identity-notice.server';
import { PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, form, page } from '~/app/lib/doors.server';
import { guessCountry } from '~/app/lib/guessed-country.server';
import { pathsFor, safeNext, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { PROVIDER_NAMES } from '~/server/domain/accounts/base/kinds';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';

/** The user's data from the other service. Redirects to the start if the log-in there was too long ago. */
async function findPending({ api, context, url }: Door) {
  return api.identities.pending().catch((error: unknown) => {
    const { kind, code } = context.describeError(error);
    throw kind === 'expired' ? redirect(withNotice(pathsFor(url).login(), code)) : error;
  });
}

export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (context.actor.type === 'user') throw redirect(pathsFor(url).dashboard);
  const { provider, name, email, isEmailVerified } = await findPending(door);
  const title = translator(context.language, 'auth')('complete.title');
  const countries = await api.reference.countryOptions();
  const guess = await guessCountry(door, countries);
  return { provider, name, email, isEmailVerified, title, countries, guess };
});

export const action = form(
  async (door, values) => {
    const { next } = await findPending(door);
    await door.api.identities.signUp({ ...values, language: door.context.language, next: next ?? undefined } as never);
    return next;
  },
  { then: (next, { context, url }) => safeNext(next, context.urls.settings) ?? pathsFor(url).start('reason') },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function RegisterComplete() {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { provider, name, email, isEmailVerified, countries, guess } = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>();
  const service = { provider: PROVIDER_NAMES[provider] };
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t('complete.title')}</h1>
        <p className="muted">{t('complete.lead', service)}</p>
        <AuthForm failure={failure} submit={t('register.submit')}>
          <PlainTextField
            name="name"
            label={t('field.name')}
            autoComplete="name"
            maxLength={ACCOUNT_LIMITS.nameLength}
            defaultValue={name ?? ''}
            required
          />
          <PlainTextField
            name="email"
            type="email"
            label={t('field.email')}
            help={t(isEmailVerified ? 'complete.emailVerified' : 'complete.emailUnverified', service)}
            autoComplete="email"
            defaultValue={email ?? ''}
            required
            fix={failure?.code === 'account.email_taken' && <Link to={paths.login()}>{t('register.login')}</Link>}
          />
          <ConsentFields countries={countries} guess={guess} />
        </AuthForm>
        <p className="form-foot">
          {t('register.have')} <Link to={paths.login()}>{t('register.login')}</Link>
        </p>
      </div>
    </SiteShell>
  );
}
