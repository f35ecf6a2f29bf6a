import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';

/**
 * The label of the box that accepts the terms at sign-up. The links open another tab, so that the form keeps its
 * values.
 */
export function TermsLabel() {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  return (
    <>
      {t('terms.accept')}{' '}
      <a href={paths.terms} target="_blank" rel="noopener">
        {t('terms.terms')}
      </a>{' '}
      {t('terms.and')}{' '}
      <a href={paths.privacy} target="_blank" rel="noopener">
        {t('terms.privacy')}
      </a>
      {t('terms.age', { min: ACCOUNT_LIMITS.ageMin })}
    </>
  );
}
