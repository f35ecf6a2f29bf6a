import { usePaths } from '~/app/lib/paths';
import { useRootData } from '~/app/lib/root-data';
import { Form, useLocation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { LANGUAGES } from '~/locales/languages';
import { CookieIcon, ExternalLinkIcon, LanguageIcon, LogOutIcon } from '../../../components/line-icons';
import { useStudio } from '../../../lib/studio-context';
import classes from './shell.module.css';

/** Links below the navigation: the public page, the other language, and log out. */
export function ShellFooter() {
  const { t, language } = useTranslation('studio');
  const { t: tCommon } = useTranslation();
  const { user } = useStudio();
  const services = useRootData()?.services;
  const paths = usePaths();
  const { pathname, search } = useLocation();
  return (
    <div className={classes.foot}>
      <p className={classes.who}>
        <strong>{user.name}</strong>
        {user.email}
      </p>
      {user.creator && (
        <a href={user.creator.url} className={classes.link} target="_blank" rel="noreferrer">
          <ExternalLinkIcon />
          {t('nav.publicPage')}
        </a>
      )}
      {/* a new document: Mantine and drafts start again in the other language */}
      <form method="post" action="/language">
        <input type="hidden" name="next" value={pathname + search} />
        {LANGUAGES.filter((other) => other !== language).map((other) => (
          <button key={other} type="submit" name="language" value={other} lang={other} className={classes.link}>
            <LanguageIcon />
            {t(`language.${other}`)}
          </button>
        ))}
      </form>
      {services && (
        <button type="button" className={classes.link} data-consent data-needs-script>
          <CookieIcon />
          {tCommon('footer.consent')}
        </button>
      )}
      {/* a new document discards this one's memory, and stops the player */}
      <Form method="post" action={paths.logout} reloadDocument>
        <button type="submit" className={classes.link}>
          <LogOutIcon />
          {t('nav.logout')}
        </button>
      </Form>
    </div>
  );
}
