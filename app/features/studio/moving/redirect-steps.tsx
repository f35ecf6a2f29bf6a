import { CopyButton } from '~/app/components/copy-button';
import { Section } from '~/app/components/page-header';
import { useTranslation } from '~/app/lib/translation';
import type { OldFeedReport } from '~/server/domain/rss-import/views';
import classes from './moving.module.css';

/** The settings to make at the former host, and its current answer. */
export function RedirectSteps({ found: { redirect, redirectTo } }: { found: OldFeedReport }) {
  const { t } = useTranslation('moving');
  return (
    <Section title={t('old.redirect')}>
      <p className={redirect === 'permanent' ? classes.good : classes.text}>{t(`old.redirects.${redirect}`)}</p>
      {redirect !== 'permanent' && (
        <>
          <p className={classes.text}>{t('old.how')}</p>
          <p className={classes.address}>
            <code dir="ltr">{redirectTo}</code>{' '}
            <CopyButton text={redirectTo} label={t('old.copy')} done={t('old.copied')} />
          </p>
        </>
      )}
    </Section>
  );
}
