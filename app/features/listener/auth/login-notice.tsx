import { useEffect } from 'react';
import { useTranslation } from '~/app/lib/translation';

/** What the page says above the form, by the `notice` of its address. */
const NOTICES = new Map([
  ['password', 'login.passwordChanged'],
  ['expired', 'login.expired'],
]);

/** Why the user is here. After a log-out, also clears what the browser has stored. */
export function LoginNotice({ notice }: { notice: string | null }) {
  const { t } = useTranslation('auth');
  const key = NOTICES.get(notice ?? '');
  useEffect(() => {
    import('~/app/lib/browser-storage').then(({ clearAfterLogOut }) => clearAfterLogOut()).catch(() => {});
  }, []);
  if (notice === 'security') {
    return (
      <p className="toast" role="status">
        {t('login.security')}
      </p>
    );
  }
  return key ? (
    <p className="notice" role="status">
      {t(key)}
    </p>
  ) : null;
}
