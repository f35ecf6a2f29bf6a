import { Section } from '~/app/components/page-header';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import type { OldFeedReport } from '~/server/domain/rss-import/views';
import classes from './moving.module.css';

/** The share of downloads that still use the old feed's address. */
export function MovedShare({ found: { downloads, days } }: { found: OldFeedReport }) {
  const { t, locale } = useTranslation('moving');
  const { all, fromOldFeed } = downloads;
  const percent = (part: number) =>
    formatNumber(all === 0 ? 0 : part / all, locale, { style: 'percent', maximumFractionDigits: 0 });
  return (
    <Section title={t('share.title')}>
      {all === 0 ? (
        <p className={classes.text}>{t('share.none', { days })}</p>
      ) : (
        <>
          <dl className={classes.shares}>
            <dt>{t('share.new')}</dt>
            <dd>
              {percent(all - fromOldFeed)} <span>{t('share.downloads', { count: all - fromOldFeed })}</span>
            </dd>
            <dt>{t('share.old')}</dt>
            <dd>
              {percent(fromOldFeed)} <span>{t('share.downloads', { count: fromOldFeed })}</span>
            </dd>
          </dl>
          <progress className={classes.bar} value={all - fromOldFeed} max={all} aria-label={t('share.new')} />
        </>
      )}
      <p className={classes.soft}>{t('share.how', { days })}</p>
    </Section>
  );
}
