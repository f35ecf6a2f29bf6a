import { Button } from '~/app/components/button';
import { EmptyState, EpisodePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import classes from '~/app/features/studio/calendar/calendar.module.css';
import { Month } from '~/app/features/studio/calendar/month';
import { MoveForm } from '~/app/features/studio/calendar/move-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { timeZoneName } from '~/app/lib/formats';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { useIsEditor, useStudio } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { dateFormat, firstDayOfWeek } from '~/server/base/formats';
import { nextMonth, releaseOnDay } from '~/server/domain/episodes/rules';

/** The past and future releases of a month, in the creator's time zone. */
export const loader = page(async ({ api, context, url }) => ({
  month: await api.episodes.month({ month: url.searchParams.get('month') ?? undefined }),
  firstDay: firstDayOfWeek(context.region),
  title: translator(context.language, 'team')('calendar.title'),
}));

/** Moves a scheduled episode to another day, at its time of day. */
export const action = form(
  async ({ api }, { episode: id = '', day = '' }) => {
    const [episode, { timeZone }] = await Promise.all([
      api.episodes.forEditing({ id: Number(id) || 0 }),
      api.episodes.month({}),
    ]);
    // one whose time has come meanwhile is public, and would be unpublished
    if (episode.status !== 'scheduled' || !episode.releaseDate) return { isMoved: false, day };
    // the procedure refuses an invalid date
    const releaseDate = DAY.test(day) ? releaseOnDay(episode.releaseDate, day, timeZone) : new Date(Number.NaN);
    await api.episodes.release({ id: episode.id, kind: episode.kind, releaseDate });
    return { isMoved: true, day };
  },
  {
    then: ({ isMoved, day }, { url }) =>
      withDoneMessage(
        `${pathsFor(url).calendar}?month=${encodeURIComponent(day.slice(0, MONTH))}`,
        isMoved ? 'episode_moved' : 'episode_not_moved',
      ),
  },
);

const DAY = /^\d{4}-\d\d-\d\d$/;
const MONTH = '2026-11'.length;

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Calendar() {
  const { t, locale } = useTranslation('team');
  const { month, firstDay } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const name = dateFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return (
    <>
      <PageHeader title={t('calendar.title')} lead={t('calendar.lead', { zone: timeZoneName(month.timeZone) })} />
      <div className={classes.head}>
        <h2>{name.format(new Date(`${month.month}-01`))}</h2>
        <nav className={classes.steps} aria-label={t('calendar.months')}>
          <Button
            component={Link}
            variant="default"
            size="sm"
            to={`?month=${nextMonth(month.month, -1)}`}
            preventScrollReset
          >
            {t('calendar.previous')}
          </Button>
          <Button component={Link} variant="default" size="sm" to="?" preventScrollReset>
            {t('calendar.today')}
          </Button>
          <Button
            component={Link}
            variant="default"
            size="sm"
            to={`?month=${nextMonth(month.month)}`}
            preventScrollReset
          >
            {t('calendar.next')}
          </Button>
        </nav>
      </div>
      {month.releases.length === 0 ? <NoReleases /> : <Month month={month} firstDay={firstDay} />}
      <MoveForm key={JSON.stringify(month.releases)} month={month} failure={failure} />
    </>
  );
}

function NoReleases() {
  const { t } = useTranslation('team');
  const { products } = useStudio();
  const isEditor = useIsEditor();
  const paths = usePaths();
  const [first] = products;
  const action = isEditor && first && (
    <Button component={Link} to={paths.createEpisode(first)}>
      {t('calendar.create')}
    </Button>
  );
  return (
    <EmptyState picture={<EpisodePicture />} title={t('calendar.none')} action={action}>
      {t('calendar.noneText')}
    </EmptyState>
  );
}
