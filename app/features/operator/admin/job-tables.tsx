import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { numberFormat } from '~/server/base/formats';
import type { FailedJob, QueueState } from '~/server/domain/console/jobs';
import classes from './admin.module.css';
import { ConsoleTable } from './console-table';
import { RowButton } from './row-forms';
import { useTime } from './use-time';

export function Queues({ queues }: { queues: QueueState[] }) {
  const { t, locale } = useTranslation('admin');
  const minutes = numberFormat(locale, { style: 'unit', unit: 'minute', maximumFractionDigits: 1 });
  return (
    <ConsoleTable
      label={t('jobs.queues')}
      rows={queues}
      keyOf={({ queue }) => queue}
      columns={[
        { name: t('jobs.queue'), cell: ({ queue }) => <Link to={`?queue=${queue}`}>{queue}</Link> },
        { name: t('jobs.waiting'), cell: ({ waiting }) => waiting },
        { name: t('jobs.later'), cell: ({ later }) => later },
        { name: t('jobs.running'), cell: ({ running }) => running },
        {
          name: t('jobs.oldest'),
          cell: ({ oldestSeconds }) => (oldestSeconds === null ? '–' : minutes.format(oldestSeconds / 60)),
        },
        {
          name: t('jobs.failed'),
          cell: ({ queue, failed }) => (
            <div className={classes.actions}>
              {failed}
              {failed > 0 && (
                <RowButton intent="retryQueue" hidden={{ queue }} label={t('jobs.retryAllOf', { queue })}>
                  {t('jobs.retryAll')}
                </RowButton>
              )}
            </div>
          ),
        },
      ]}
    />
  );
}

function JobData({ data }: Pick<FailedJob, 'data'>) {
  const { t } = useTranslation('admin');
  return (
    <details className={classes.more}>
      <summary>{t('jobs.show')}</summary>
      <code>{data}</code>
    </details>
  );
}

export function FailedJobs({ failed }: { failed: FailedJob[] }) {
  const { t } = useTranslation('admin');
  const time = useTime();
  return (
    <ConsoleTable
      label={t('jobs.failedAll')}
      rows={failed}
      empty={t('jobs.empty')}
      keyOf={({ id }) => id}
      columns={[
        { name: t('jobs.queue'), cell: ({ queue }) => queue },
        { name: t('jobs.error'), cell: ({ error }) => error, wraps: true },
        { name: t('jobs.data'), cell: ({ data }) => <JobData data={data} />, wraps: true },
        { name: t('jobs.attempts'), cell: ({ attempts }) => attempts },
        { name: t('jobs.failedAt'), cell: ({ failedAt }) => time(failedAt), wraps: true },
        {
          name: t('actions'),
          cell: ({ id, queue }) => (
            <RowButton intent="retry" hidden={{ id }} label={t('jobs.retryOf', { queue, id })}>
              {t('retry')}
            </RowButton>
          ),
        },
      ]}
    />
  );
}
