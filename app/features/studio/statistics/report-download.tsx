import { NativeSelect } from '@mantine/core';
import { Button } from '~/app/components/button';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { REPORT_LIMITS } from '~/server/limits/statistics';
import classes from './statistics.module.css';
import type { StatisticsView } from './view';

/** The reports of months that are over, as files. Nothing before the first one. */
export function ReportDownload({ view }: { view: StatisticsView }) {
  const { t, locale } = useTranslation('statistics');
  const paths = usePaths();
  const months = monthsOver(view);
  if (months.length === 0) return null;
  const nameOf = (month: string) =>
    formatDate(new Date(`${month}-01T00:00:00Z`), locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return (
    <section className={classes.section} aria-labelledby="report">
      <h2 id="report" className={classes.title}>
        {t('report.title')}
      </h2>
      <p className={classes.lead}>{t('report.text')}</p>
      <form method="get" action={`${paths.allStatistics}/report.pdf`} className={classes.form}>
        <NativeSelect
          name="month"
          label={t('report.month')}
          data={months.map((value) => ({ value, label: nameOf(value) }))}
        />
        <Button type="submit" variant="default">
          {t('report.download')}
        </Button>
      </form>
    </section>
  );
}

/** From the last one to that of the first counted day, as far as the list goes. */
export function monthsOver({ since, today }: Pick<StatisticsView, 'since' | 'today'>): string[] {
  if (since === null) return [];
  const [year = 0, month = 0] = today.split('-').map(Number);
  const before = Array.from({ length: REPORT_LIMITS.months }, (_, i) =>
    new Date(Date.UTC(year, month - 2 - i)).toISOString().slice(0, 7),
  );
  return before.filter((one) => one >= since.slice(0, 7));
}
