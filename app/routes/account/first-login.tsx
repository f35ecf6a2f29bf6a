import { redirect } from '@remix-run/node';
import { FirstLoginDialog } from '~/app/features/listener/account/first-login-dialog';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { guessCountry } from '~/app/lib/guessed-country.server';
import { pathsFor, safeNext } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { pathInLanguage, prefixOf } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { isLanguage } from '~/locales/languages';
import { needsFirstLogin } from '~/server/domain/accounts/base/rules';

export const loader = page(async (door) => {
  const { api, context, url } = door;
  const user = await api.accounts.me();
  const next = safeNext(url.searchParams.get('next'), context.urls.settings);
  if (!needsFirstLogin(user)) throw redirect(next ?? pathsFor(url).dashboard);
  const countries = await api.reference.countryOptions();
  return {
    initial: {
      language: user.language ?? context.language,
      country: user.country ?? (await guessCountry(door, countries)) ?? '',
      consentsToMarketingEmails: 'false',
    },
    countries,
    title: translator(context.language, 'account')('firstLogin.title'),
  };
});

/** Redirects to the requested page, in the chosen language. */
export const action = form(
  sectionAction({
    firstLogin: async ({ api }, values) => {
      const { language } = await api.accounts.completeFirstLogin(values as never);
      return language ?? '';
    },
  }),
  {
    then: (language, { context, url }) => {
      const next = safeNext(url.searchParams.get('next'), context.urls.settings) ?? pathsFor(url).dashboard;
      return isLanguage(language) && prefixOf(next) !== '' ? pathInLanguage(next, language) : next;
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function FirstLogin() {
  const { initial, countries } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return <FirstLoginDialog initial={initial} countries={countries} failure={failure} />;
}
