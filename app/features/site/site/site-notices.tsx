import { useDemoInPreparation, useSimulatedPayments } from '~/app/lib/root-data';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';

/** Notices on every page of this installation: payments are simulated in production, or the demo is being created. */
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

/**
 * Disappears once the demo is complete. The notice loads the app for that; without JavaScript, it disappears with the
 * next page.
 */
function DemoNotice() {
  const { t } = useTranslation();
  useRefresh(true);
  return (
    <section className="preparing" data-needs-app="now" aria-label={t('notice.label')}>
      {t('notice.demo')}
    </section>
  );
}
