import { useSimulatedPayments } from '~/app/lib/root-data';
import { useTranslation } from '~/app/lib/translation';

/** Says on every page that payments are simulated, if production runs with simulated payments. */
export function SimulationBanner() {
  return useSimulatedPayments() ? <Banner /> : null;
}

function Banner() {
  const { t } = useTranslation();
  return (
    <section className="simulation" aria-label={t('simulation.label')}>
      {t('simulation.text')}
    </section>
  );
}
