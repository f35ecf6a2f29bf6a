import { Pill, type Tone } from '~/app/components/pill';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { EditionState } from '~/db/values/editions';
import { formatDate, formatNumber } from '~/server/base/formats';
import type { EditionItem } from '~/server/domain/newsletter/list-editions';
import classes from './newsletter.module.css';

/** Editions with their state. Drafts lead to their form, others to their results. */
export function EditionList({ editions }: { editions: EditionItem[] }) {
  return (
    <ul className={classes.rows}>
      {editions.map((edition) => (
        <EditionRow key={edition.id} edition={edition} />
      ))}
    </ul>
  );
}

function EditionRow({ edition }: { edition: EditionItem }) {
  const { t } = useTranslation('editions');
  const paths = usePaths();
  const { id, title, status } = edition;
  const isOpen = status === 'draft' || status === 'scheduled';
  return (
    <li className={classes.row}>
      <p className={classes.name}>
        <Link to={isOpen ? paths.editEdition(id) : paths.edition(id)} dir="auto">
          {title || t('untitled')}
        </Link>{' '}
        <EditionPill status={status} />
      </p>
      <p className={classes.fact}>
        <EditionFact edition={edition} />
      </p>
    </li>
  );
}

function EditionFact({ edition }: { edition: EditionItem }) {
  const { t, locale } = useTranslation('editions');
  const timeZone = useCreatorTimeZone();
  const { status, scheduledAt, startedAt, updatedAt, recipients, isLate, partly } = edition;
  const moment = (at: Date) => formatDate(at, locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  if (status === 'scheduled' && scheduledAt)
    return <>{t(isLate ? 'row.late' : 'row.scheduled', { day: moment(scheduledAt) })}</>;
  if (!startedAt) return <>{t('row.changed', { day: moment(updatedAt) })}</>;
  if (recipients === null) return <>{t('row.sentHidden', { day: moment(startedAt) })}</>;
  if (partly) {
    const [number, total] = [formatNumber(partly.done, locale), formatNumber(partly.of, locale)];
    return <>{t('row.partly', { count: partly.of, number, total, day: moment(startedAt) })}</>;
  }
  return <>{t('row.sent', { count: recipients, number: formatNumber(recipients, locale), day: moment(startedAt) })}</>;
}

export function EditionPill({ status }: { status: EditionState }) {
  const { t } = useTranslation('editions');
  return <Pill tone={TONES[status]}>{t(`state.${status}`)}</Pill>;
}

const TONES: Record<EditionState, Tone> = {
  draft: 'plain',
  scheduled: 'waiting',
  sending: 'waiting',
  sent: 'good',
  cancelled: 'plain',
  stopped: 'bad',
};
