import { useEffect } from 'react';
import { useTranslation } from '~/app/lib/translation';

/** The messages above the form, by the `notice` in the URL. */
const NOTICES = new Map([
  ['password', 'login.passwordChanged'],
  ['expired', 'login.expired'],
]);

/** Tells users why they see this page. After a log-out, also clears the browser's storage. */
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
