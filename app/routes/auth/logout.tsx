import type { MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/**
 * A GET never logs users out, so that a link on another site can't: only the POST ends the session. The page with its
 * button is for menus on creators' hosts, which may not post to the app.
 */
export const loader = page(({ context, url }) => {
  if (context.actor.type !== 'user') throw redirect(pathsFor(url).home);
  return { title: translator(context.language, 'auth')('logout.title') };
});

/** A request without a session succeeds instead of asking for a log-in. */
export const action = form(
  async ({ api, context }) => {
    if (context.actor.type === 'user') await api.accounts.logOut();
  },
  // spec §4: clears all stored values; the login page does it again for browsers without this header
  { then: (_, { url }) => redirect(pathsFor(url).login(), { headers: { 'clear-site-data': '"storage"' } }) },
);

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function LogOut() {
  const { t } = useTranslation('auth');
  const { t: tCommon } = useTranslation();
  const paths = usePaths();
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t('logout.title')}</h1>
        <p className="muted">{t('logout.lead')}</p>
        <form className="form" method="post" action={paths.logout}>
          <button className="button" type="submit">
            {tCommon('nav.logout')}
          </button>
        </form>
      </div>
    </SiteShell>
  );
}
