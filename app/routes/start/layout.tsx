import { redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { Checklist } from '~/app/features/studio/start/checklist';
import classes from '~/app/features/studio/start/start.module.css';
import { page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { Outlet, useLoaderData } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/**
 * The wizard is about the user's own page. Members of another team claim a page of their own, and switch to it for the
 * later steps.
 */
export const loader = page(async ({ api, url }) => {
  const { role, type } = await api.accounts.me();
  if (role !== 'owner' && type === 'creator') throw redirect(pathsFor(url).dashboard);
  return api.start.progress();
});

/** The start wizard: one step beside the list of all steps. */
export default function StartLayout() {
  const { t } = useTranslation('start');
  const { steps, reason, isListener } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className={classes.columns}>
        <div className={classes.step}>
          <Outlet />
        </div>
        {/* before the first answer, the visitor may be here to listen */}
        {!(isListener && reason === null) && <Checklist steps={steps} />}
      </div>
    </>
  );
}
