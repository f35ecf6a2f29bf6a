import { AlertIcon } from '~/app/components/line-icons';
import { formatClock } from '~/app/lib/clock';
import { formatDateTime } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { selectionName } from '~/app/lib/selected-ids';
import { useCreatorTimeZone, useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeStatus, EpisodeType } from '~/db/values/episodes';
import type { ErrorParams } from '~/server/base/errors';
import { formatNumber } from '~/server/base/formats';
import { loudnessProblem } from '~/server/domain/episodes/rules';
import type { KindName } from '~/server/domain/products/kinds';
import classes from './list.module.css';
import { StatusBadge } from './status-badge';

export type ListedEpisode = {
  id: number;
  kind: KindName;
  productId: number;
  name: string;
  status: EpisodeStatus;
  type: EpisodeType;
  releaseDate: Date | null;
  durationSeconds: number | null;
  plays: number;
  loudness: number | null;
  failureReason: string | null;
  failureParams: ErrorParams;
  replacement: { fileName: string; isChecking: boolean } | null;
  fetchedFrom: string | null;
};

type Props = { episode: ListedEpisode; form: string; selected: boolean; onSelect: ((on: boolean) => void) | null };

/** An episode in the list, with a checkbox that selects it for actions. */
export function EpisodeTableRow({ episode, form, selected, onSelect }: Props) {
  const { t, locale } = useTranslation('episode');
  const may = useMay();
  const timeZone = useCreatorTimeZone();
  const paths = usePaths();
  const { releaseDate, durationSeconds, plays } = episode;
  return (
    <tr data-selected={selected || undefined}>
      {onSelect && <SelectionCell episode={episode} form={form} selected={selected} onSelect={onSelect} />}
      <th scope="row">
        {may('episode.read') ? (
          <Link to={paths.episode(episode)} prefetch="intent" dir="auto">
            {episode.name}
          </Link>
        ) : (
          <span dir="auto">{episode.name}</span>
        )}
        {episode.type !== 'public' && <span className={classes.type}>{t(`type.${episode.type}`)}</span>}
        <EpisodeNotes episode={episode} />
      </th>
      <td>
        <StatusBadge episode={episode} />
      </td>
      <td className={classes.brief} data-label={t('list.date')}>
        {releaseDate ? formatDateTime(releaseDate, locale, timeZone) : t('list.noDate')}
      </td>
      <td className={classes.brief} data-label={t('list.length')}>
        {durationSeconds === null ? '–' : formatClock(Math.round(durationSeconds))}
      </td>
      <td className={classes.brief} data-label={t('list.plays')}>
        <span className={classes.wide}>{formatNumber(plays, locale)}</span>
        <span className={classes.small}>
          {t('list.playsOf', { count: plays, number: formatNumber(plays, locale) })}
        </span>
      </td>
    </tr>
  );
}

type SelectionProps = Omit<Props, 'onSelect'> & { onSelect: (on: boolean) => void };

function SelectionCell({ episode, form, selected, onSelect }: SelectionProps) {
  const { t } = useTranslation('episode');
  return (
    <td className={classes.pick}>
      <label>
        <input
          type="checkbox"
          name={selectionName(episode.id)}
          form={form}
          checked={selected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
        <span className="hidden-visually">{t('batch.selectOne', { name: episode.name })}</span>
      </label>
    </td>
  );
}

type Noted = Pick<ListedEpisode, 'failureReason' | 'failureParams' | 'loudness' | 'replacement' | 'fetchedFrom'>;

/** Why an episode or its replacement failed or is on hold, and whether players will change its volume. */
export function EpisodeNotes({ episode }: { episode: Noted }) {
  const { failureReason, failureParams, loudness, replacement, fetchedFrom } = episode;
  const { t } = useTranslation('episode');
  const { t: tError } = useTranslation('errors');
  const problem = loudnessProblem(loudness);
  const file = replacement?.fileName ?? '';
  const host = fetchedFrom ?? '';
  return (
    <>
      {replacement && (
        <span className={replacement.isChecking ? classes.type : classes.reason}>
          {t(`replacement.${fetchedFrom ? 'fetching' : replacement.isChecking ? 'checking' : 'failed'}`, {
            file,
            host,
          })}
        </span>
      )}
      {failureReason && <span className={classes.reason}>{tError(failureReason, failureParams)}</span>}
      {problem && (
        <span className={classes.loudness}>
          <AlertIcon /> {t(problem === 'quiet' ? 'list.quiet' : 'list.loud')}
        </span>
      )}
    </>
  );
}
