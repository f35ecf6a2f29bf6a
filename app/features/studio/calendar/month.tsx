import { type DragEvent, useState } from 'react';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { dateFormat } from '~/server/base/formats';
import type { Release, ReleaseMonth } from '~/server/domain/episodes/calendar';
import { weeksOf } from '~/server/domain/episodes/rules';
import classes from './calendar.module.css';
import { type Moves, useMoves } from './use-moves';

type Props = { month: ReleaseMonth; firstDay: number };

/**
 * A month as a table, in which scheduled episodes can be dragged to other days. On phones, a list of the days that have
 * releases. `firstDay`: 0 is Sunday.
 */
export function Month({ month, firstDay }: Props) {
  const { t } = useTranslation('team');
  const moves = useMoves(month);
  const byDay: ByDay = new Map();
  for (const release of moves.releases) byDay.set(release.day, [...(byDay.get(release.day) ?? []), release]);
  return (
    <>
      {moves.hasMovable && (
        <p className={classes.hint} data-needs-script>
          {t('calendar.drag')}
        </p>
      )}
      <Table month={month} firstDay={firstDay} byDay={byDay} moves={moves} />
      <Days byDay={byDay} />
    </>
  );
}

type ByDay = Map<string, Release[]>;

function Table({ month: { month, today }, firstDay, byDay, moves }: Props & { byDay: ByDay; moves: Moves }) {
  const { t, locale } = useTranslation('team');
  const { drag, isTarget, targetOf } = useDrag(moves);
  const weeks = weeksOf(month, firstDay);
  const weekday = dateFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  return (
    <table className={classes.month}>
      <caption className={classes.hidden}>{t('calendar.caption')}</caption>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col">
              {weekday.format(new Date(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((days) => (
          <tr key={days[0]}>
            {days.map((day) => (
              <td
                key={day}
                data-outside={day.startsWith(month) ? undefined : true}
                data-target={isTarget(day) || undefined}
                aria-current={day === today ? 'date' : undefined}
                {...targetOf(day)}
              >
                <span className={classes.number}>{Number(day.slice(-2))}</span>
                <Releases releases={byDay.get(day) ?? []} drag={drag} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Drag = Pick<Moves, 'isMovable'> & { start(release: Release): void; end(): void };

/** The browser's own dragging, which also works after a long press on a touch screen. */
function useDrag({ move, isMovable }: Moves) {
  const [dragged, setDragged] = useState<Release | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  const targetOf = (day: string) => ({
    onDragOver(event: DragEvent) {
      if (!dragged) return;
      // the browser would not let it be dropped here
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      setOver(day);
    },
    onDrop(event: DragEvent) {
      if (!dragged) return;
      event.preventDefault();
      end();
      move(dragged, day);
    },
  });
  const drag: Drag = { isMovable, start: setDragged, end };
  return { drag, isTarget: (day: string) => over === day && dragged?.day !== day, targetOf };
}

function Days({ byDay }: { byDay: ByDay }) {
  const { locale } = useTranslation('team');
  const format = dateFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
  return (
    <ol className={classes.days}>
      {[...byDay].map(([day, releases]) => (
        <li key={day}>
          <h3 className={classes.day}>{format.format(new Date(day))}</h3>
          <Releases releases={releases} />
        </li>
      ))}
    </ol>
  );
}

type ReleasesProps = { releases: Release[]; withDay?: boolean; drag?: Drag };

export function Releases({ releases, withDay, drag }: ReleasesProps) {
  const { t, locale } = useTranslation('team');
  const paths = usePaths();
  const date = withDay ? ({ day: 'numeric', month: 'short' } as const) : {};
  const time = { hour: 'numeric', minute: '2-digit', timeZone: useCreatorTimeZone() } as const;
  const format = dateFormat(locale, { ...date, ...time });
  if (releases.length === 0) return null;
  return (
    <ul className={classes.releases}>
      {releases.map((release) => (
        <li key={release.id}>
          <Link
            to={paths.episode(release)}
            data-status={release.status}
            className={classes.release}
            {...dragOf(release, drag)}
          >
            <time className={classes.when} dateTime={release.releaseAt.toISOString()}>
              {format.format(release.releaseAt)}
            </time>
            <span className={classes.name}>{release.name}</span>
            <span className={classes.fact}>
              {release.productName} · {t(`calendar.${release.status}`)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const dragOf = (release: Release, drag: Drag | undefined) =>
  drag?.isMovable(release) && {
    'data-movable': true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move';
      drag.start(release);
    },
    onDragEnd: drag.end,
  };
