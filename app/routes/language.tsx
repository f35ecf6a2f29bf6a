import { redirect } from '@remix-run/node';
import { form, page } from '~/app/lib/doors.server';
import { pathsFor, safeNext } from '~/app/lib/paths';
import { pathInLanguage } from '~/app/lib/site-paths';
import { isLanguage } from '~/locales/languages';

export const loader = page(({ url }) => {
  throw redirect(pathsFor(url).home);
});

/** Stores the chosen language, and returns to the requesting page in that language. */
export const action = form(
  async ({ api, context }, { language = '', next = '' }) => {
    await api.accounts.chooseLanguage({ language: language as never });
    const here = safeNext(next, context.urls.settings);
    const [pathname = '/', query] = here?.startsWith('/') ? here.split(/(?=\?)/) : ['/'];
    return isLanguage(language) ? pathInLanguage(pathname, language) + (query ?? '') : '/';
  },
  { then: (target) => target },
);
