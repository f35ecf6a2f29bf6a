import { useDemoInPreparation, useSimulatedPayments } from '~/app/lib/root-data';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';

/** What every page says of this installation: payments are simulated in production, or its demo is being created. */
export function SiteNotices() {
  const isSimulating = useSimulatedPayments();
  const isPreparing = useDemoInPreparation();
  return (
    <>
      {isSimulating && <SimulationBanner />}
      {isPreparing && <DemoNotice />}
    </>
  );
}

function SimulationBanner() {
  const { t } = useTranslation();
  return (
    <section className="simulation" aria-label={t('notice.label')}>
      {t('notice.simulation')}
    </section>
  );
}

/** Disappears once the demo is complete, for which it loads the app; without JavaScript, with the next page. */
function DemoNotice() {
  const { t } = useTranslation();
  useRefresh(true);
  return (
    <section className="preparing" data-needs-app="now" aria-label={t('notice.label')}>
      {t('notice.demo')}
    </section>
  );
}
