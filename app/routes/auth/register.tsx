import type { MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { AuthForm } from '~/app/features/auth/auth-form';
import { CheckField, SelectField, TextField } from '~/app/features/auth/fields';
import { SiteShell } from '~/app/features/site/site-shell';
import { form, page } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/i18n.server';
import { pathsIn, prefixOf, safeNext, usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';

export const loader = page(async ({ api, context, url }) => {
  const next = safeNext(url.searchParams.get('next'), context.urls.settings);
  if (context.actor.type === 'user') throw redirect(next ?? pathsIn(prefixOf(url.pathname)).dashboard);
  const title = translator(context.language, 'auth')('register.title');
  return { next, title, countries: await api.reference.countryOptions() };
});

export const action = form(
  ({ api, context }, values) => api.accounts.signUp({ ...values, language: context.language } as never),
  {
    then: (_, { context, url }) =>
      safeNext(url.searchParams.get('next'), context.urls.settings) ?? pathsIn(prefixOf(url.pathname)).dashboard,
  },
);

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: `${data?.title} · Altavoz` }];

export default function Register() {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { next, countries } = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>();
  const { passwordMin, nameLength } = ACCOUNT_LIMITS;
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t('register.title')}</h1>
        <p className="muted">{t('register.lead')}</p>
        <AuthForm failure={failure} submit={t('register.submit')}>
          <TextField name="name" label={t('field.name')} autoComplete="name" maxLength={nameLength} required />
          <TextField name="email" type="email" label={t('field.email')} autoComplete="email" required />
          <TextField
            name="password"
            type="password"
            label={t('field.password')}
            help={t('field.passwordHelp', { min: passwordMin })}
            autoComplete="new-password"
            required
          />
          <SelectField
            name="country"
            label={t('field.country')}
            none={t('field.countryNone')}
            options={countries}
            autoComplete="country"
            required
          />
          <CheckField name="terms" label={t('field.terms')} />
        </AuthForm>
        <p className="form-foot">
          {t('register.have')} <Link to={paths.login(next ?? undefined)}>{t('register.login')}</Link>
        </p>
      </div>
    </SiteShell>
  );
}
