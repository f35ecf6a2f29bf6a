import { Outlet, useLoaderData } from '@remix-run/react';
import { PageHeader } from '~/app/components/page-header';
import { Checklist } from '~/app/features/start/checklist';
import classes from '~/app/features/start/start.module.css';
import { page } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(({ api }) => api.start.progress());

/** The start wizard: one step, and beside it the list of all. */
export default function StartLayout() {
  const { t } = useTranslation('start');
  const { steps } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className={classes.columns}>
        <div className={classes.step}>
          <Outlet />
        </div>
        <Checklist steps={steps} />
      </div>
    </>
  );
}
