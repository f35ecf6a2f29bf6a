import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { dateFormat } from '~/server/base/formats';
import type { Release, ReleaseMonth } from '~/server/domain/episodes/calendar';
import { weeksOf } from '~/server/domain/episodes/rules';
import classes from './calendar.module.css';

type Props = { month: ReleaseMonth; firstDay: number };

/** A month as a table. On phones, a list of the days that have releases. `firstDay`: 0 is Sunday. */
export function Month({ month, firstDay }: Props) {
  const byDay: ByDay = new Map();
  for (const release of month.releases) byDay.set(release.day, [...(byDay.get(release.day) ?? []), release]);
  return (
    <>
      <Table month={month} firstDay={firstDay} byDay={byDay} />
      <Days byDay={byDay} />
    </>
  );
}

type ByDay = Map<string, Release[]>;

function Table({ month: { month, today }, firstDay, byDay }: Props & { byDay: ByDay }) {
  const { t, locale } = useTranslation('team');
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
                aria-current={day === today ? 'date' : undefined}
              >
                <span className={classes.number}>{Number(day.slice(-2))}</span>
                <Releases releases={byDay.get(day) ?? []} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
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

export function Releases({ releases, withDay }: { releases: Release[]; withDay?: boolean }) {
  const { t, locale } = useTranslation('team');
  const paths = usePaths();
  const date = withDay ? ({ day: 'numeric', month: 'short' } as const) : {};
  const time = { hour: 'numeric', minute: '2-digit', timeZone: useCreatorTimeZone() } as const;
  const format = dateFormat(locale, { ...date, ...time });
  if (releases.length === 0) return null;
  return (
    <ul className={classes.releases}>
      {releases.map(({ id, productId, kind, name, productName, status, releaseAt }) => (
        <li key={id}>
          <Link to={paths.episode({ id, productId, kind })} data-status={status} className={classes.release}>
            <time className={classes.when} dateTime={releaseAt.toISOString()}>
              {format.format(releaseAt)}
            </time>
            <span className={classes.name}>{name}</span>
            <span className={classes.fact}>
              {productName} · {t(`calendar.${status}`)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
