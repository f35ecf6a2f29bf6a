import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { PROVIDER_NAMES } from '~/server/domain/accounts/base/kinds';
import classes from './other-logins.module.css';

type Props = { providers: (keyof typeof PROVIDER_NAMES)[]; next: string | null };

/**
 * Links that log in with Google or Facebook, with or without JavaScript. Renders nothing if the operator has set up
 * neither.
 */
export function OtherLogins({ providers, next }: Props) {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  if (providers.length === 0) return null;
  const query = next ? `?next=${encodeURIComponent(next)}` : '';
  return (
    <div className={classes.logins}>
      <p className={classes.or}>{t('other.or')}</p>
      {providers.map((provider) => (
        // a plain link: the answer is a redirect to another site
        <a key={provider} className="button plain" href={`${paths.login()}/${provider}${query}`} rel="nofollow">
          <img src={`/logo-${provider}.svg`} alt="" width="20" height="20" />
          {t('other.continue', { provider: PROVIDER_NAMES[provider] })}
        </a>
      ))}
    </div>
  );
}
