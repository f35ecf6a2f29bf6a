import parts from '~/app/components/file-page.module.css';
import { Section } from '~/app/components/page-header';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import type { HistoryFault } from '~/server/domain/statistics/history-cells';
import type { HistoryPreview } from '~/server/domain/statistics/import-history';
import classes from './history.module.css';

/** The rows of a file that are not imported, with the reasons. */
export function LeftOut({ preview, csvUrl }: { preview: HistoryPreview; csvUrl: string }) {
  const { t, locale } = useTranslation('history');
  const { leftOut, problems } = preview;
  const reasons = Object.entries(leftOut) as [HistoryFault, number][];
  const all = reasons.reduce((sum, [, rows]) => sum + rows, 0);
  if (all === 0) return null;
  const number = (value: number) => formatNumber(value, locale);
  return (
    <Section title={t('leftOut', { count: all, number: number(all) })}>
      <ul className={parts.facts}>
        {reasons.map(([reason, rows]) => (
          <li key={reason}>
            {number(rows)} · {t(`reason.${reason}`)}
          </li>
        ))}
      </ul>
      <details className={classes.more}>
        <summary>{t('leftOut.rows', { number: number(problems.length) })}</summary>
        <ul className={parts.facts}>
          {problems.map(({ row, reason, text }) => (
            <li key={row}>
              {t('row', { number: number(row) })}: <bdi>{text}</bdi>{' '}
              <span className={parts.soft}>{t(`reason.${reason}`)}</span>
            </li>
          ))}
        </ul>
      </details>
      <a href={csvUrl} download>
        {t('leftOut.download')}
      </a>
    </Section>
  );
}
