import { Badge } from '@mantine/core';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeStatus } from '~/server/domain/episodes/rules';
import classes from './episode.module.css';

/** An episode's status as a word, with a coloured dot. */
export function StatusBadge({ status }: { status: EpisodeStatus }) {
  const { t } = useTranslation('episode');
  return (
    <Badge className={classes.badge} data-status={status} leftSection={<span className={classes.dot} />}>
      {t(`status.${status}`)}
    </Badge>
  );
}
