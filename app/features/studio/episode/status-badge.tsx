import { Pill, type Tone } from '~/app/components/pill';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeStatus } from '~/db/values/episodes';
import { shownStatus } from '~/server/domain/episodes/rules';

const TONES: Record<ReturnType<typeof shownStatus>, Tone> = {
  published: 'good',
  scheduled: 'coming',
  in_progress: 'waiting',
  failed: 'bad',
  on_hold: 'plain',
  draft: 'plain',
};

/** An episode's status. */
export function StatusBadge({ episode }: { episode: { status: EpisodeStatus; releaseDate: Date | null } }) {
  const { t } = useTranslation('episode');
  const status = shownStatus(episode);
  return <Pill tone={TONES[status]}>{t(`status.${status}`)}</Pill>;
}
