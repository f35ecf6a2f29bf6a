import { Section } from '~/app/components/page-header';
import classes from '~/app/features/operator/admin/admin.module.css';
import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { FailedJobs, Queues } from '~/app/features/operator/admin/job-tables';
import type { FormFailure } from '~/app/lib/doors.server';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = operatorPage('jobs.title', async ({ api, url }) => {
  const queue = url.searchParams.get('queue') ?? '';
  return { queue, queues: await api.console.queues(), failed: await api.console.failedJobs({ queue }) };
});

export const action = operatorAction({
  retry: ({ api }, { id }) => api.console.retryJob({ id: id as never }),
  retryQueue: ({ api }, { queue }) => api.console.retryQueue({ queue: queue as never }),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Jobs() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <ConsolePage data={data} failure={failure} lead={t('jobs.lead')}>
      {({ queue, queues, failed }) => (
        <>
          <Section title={t('jobs.queues')}>
            <Queues queues={queues} />
          </Section>
          <div className={classes.section}>
            <Section title={queue ? t('jobs.failedOf', { queue }) : t('jobs.failedAll')}>
              <FailedJobs failed={failed} />
            </Section>
          </div>
        </>
      )}
    </ConsolePage>
  );
}
