import { Badge } from '@mantine/core';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeStatus } from '~/db/values/episodes';
import { shownStatus } from '~/server/domain/episodes/rules';
import classes from './episode.module.css';

/** An episode's status as a word, with a coloured dot. */
export function StatusBadge({ episode }: { episode: { status: EpisodeStatus; releaseDate: Date | null } }) {
  const { t } = useTranslation('episode');
  const status = shownStatus(episode);
  return (
    <Badge className={classes.badge} data-status={status} leftSection={<span className={classes.dot} />}>
      {t(`status.${status}`)}
    </Badge>
  );
}
