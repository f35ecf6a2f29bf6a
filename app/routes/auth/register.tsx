import type { MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { ConsentFields } from '~/app/features/listener/auth/consent-fields';
import { placeOf } from '~/app/features/listener/auth/next-place.server';
import { OtherLogins } from '~/app/features/listener/auth/other-logins';
import { PlainPasswordField, PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { languageLinks, urlPerLanguage } from '~/app/features/site/public/page-meta';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { form, page } from '~/app/lib/doors.server';
import { guessCountry } from '~/app/lib/guessed-country.server';
import { pathsFor, pathsIn, safeNext, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';

export const loader = page(async (door) => {
  const { api, context, url } = door;
  const next = safeNext(url.searchParams.get('next'), context.urls.settings);
  if (context.actor.type === 'user') throw redirect(next ?? pathsFor(url).dashboard);
  const title = translator(context.language, 'auth')('register.title');
  const [countries, providers] = await Promise.all([api.reference.countryOptions(), api.identities.providers()]);
  const urls = urlPerLanguage((prefix) => context.urls.app(pathsIn(prefix ? `/${prefix}` : '').register()));
  const place = next ? placeOf(next) : 'questions';
  return { next, place, title, countries, guess: await guessCountry(door, countries), providers, urls };
});

export const action = form(
  ({ api, context, url }, values) => {
    const next = url.searchParams.get('next') ?? undefined;
    return api.accounts.signUp({ ...values, language: context.language, next } as never);
  },
  {
    then: (_, { context, url }) =>
      safeNext(url.searchParams.get('next'), context.urls.settings) ?? pathsFor(url).start('reason'),
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  ...(data ? languageLinks(data.urls) : []),
];

export default function Register() {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { next, place, countries, guess, providers } = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>();
  const hasAccount = failure?.code === 'account.email_taken';
  const { passwordMin, nameLength } = ACCOUNT_LIMITS;
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t('register.title')}</h1>
        <p className="muted">{t('register.lead', { next: t(`next.${place}`) })}</p>
        <AuthForm failure={failure} submit={t('register.submit')}>
          <PlainTextField name="name" label={t('field.name')} autoComplete="name" maxLength={nameLength} required />
          <PlainTextField
            name="email"
            type="email"
            label={t('field.email')}
            autoComplete="email"
            required
            fix={hasAccount && <Link to={paths.login(next ?? undefined)}>{t('register.login')}</Link>}
          />
          <PlainPasswordField
            name="password"
            label={t('field.password')}
            help={t('field.passwordHelp', { min: passwordMin })}
            autoComplete="new-password"
            required
          />
          <ConsentFields countries={countries} guess={guess} />
        </AuthForm>
        <OtherLogins providers={providers} next={next} />
        <p className="form-foot">
          {t('register.have')} <Link to={paths.login(next ?? undefined)}>{t('register.login')}</Link>
        </p>
      </div>
    </SiteShell>
  );
}
