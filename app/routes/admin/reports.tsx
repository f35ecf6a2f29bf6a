import { Section } from '~/app/components/page-header';
import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { DecidedReports, OpenReports } from '~/app/features/operator/admin/reports';
import type { FormFailure } from '~/app/lib/doors.server';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = operatorPage('reports.title', async ({ api }) => ({
  open: await api.console.reports({ isOpen: true }),
  decided: await api.console.reports({ isOpen: false }),
}));

export const action = operatorAction({
  dismiss: ({ api }, values) => api.console.dismissReport(values as never),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Reports() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <ConsolePage data={data} failure={failure} lead={t('reports.lead')}>
      {({ open, decided }) => (
        <>
          <Section title={t('reports.open')}>
            <OpenReports rows={open} typed={failure?.values ?? {}} />
          </Section>
          <Section title={t('reports.decided')}>
            <DecidedReports rows={decided} />
          </Section>
        </>
      )}
    </ConsolePage>
  );
}
