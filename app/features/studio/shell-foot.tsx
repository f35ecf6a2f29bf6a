import { Form, Link, useLocation } from '@remix-run/react';
import { inLanguage, usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { LANGUAGES } from '~/locales/languages';
import { LanguageIcon, LeaveIcon, OutIcon } from './icons';
import classes from './shell.module.css';
import { useStudio } from './studio-context';

/** Below the navigation: the way to the own public page, the other language, and out. */
export function ShellFoot() {
  const { t, language } = useTranslation('studio');
  const { user } = useStudio();
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
          <OutIcon />
          {t('nav.publicPage')}
        </a>
      )}
      {LANGUAGES.filter((other) => other !== language).map((other) => (
        <Link
          key={other}
          to={inLanguage(pathname, other) + search}
          lang={other}
          hrefLang={other}
          className={classes.link}
          reloadDocument
        >
          <LanguageIcon />
          {t(`language.${other}`)}
        </Link>
      ))}
      <Form method="post" action={paths.logout}>
        <button type="submit" className={classes.link}>
          <LeaveIcon />
          {t('nav.logout')}
        </button>
      </Form>
    </div>
  );
}
