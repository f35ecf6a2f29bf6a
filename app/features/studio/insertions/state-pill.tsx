import { Pill } from '~/app/components/pill';
import { useTranslation } from '~/app/lib/translation';
import type { CampaignView } from '~/server/domain/insertions/campaign-list';
import { TONES } from './campaign-words';

/** The state of a campaign. One that runs without being heard does not look as if all were well. */
export function StatePill({
  campaign: { state, silencedBy },
}: {
  campaign: Pick<CampaignView, 'state' | 'silencedBy'>;
}) {
  const { t } = useTranslation('campaigns');
  return silencedBy ? (
    <Pill tone="waiting">{t('state.silent')}</Pill>
  ) : (
    <Pill tone={TONES[state]}>{t(`state.${state}`)}</Pill>
  );
}
