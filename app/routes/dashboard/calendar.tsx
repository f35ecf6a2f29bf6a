import { Button } from '~/app/components/button';
import { EmptyState, EpisodePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import classes from '~/app/features/studio/calendar/calendar.module.css';
import { Month } from '~/app/features/studio/calendar/month';
import { page } from '~/app/lib/doors.server';
import { timeZoneName } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { useIsEditor, useStudio } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { dateFormat, firstDayOfWeek } from '~/server/base/formats';
import { nextMonth } from '~/server/domain/episodes/rules';

/** The past and future releases of a month, in the creator's time zone. */
export const loader = page(async ({ api, context, url }) => ({
  month: await api.episodes.month({ month: url.searchParams.get('month') ?? undefined }),
  firstDay: firstDayOfWeek(context.region),
  title: translator(context.language, 'team')('calendar.title'),
}));

export const meta = titleMeta;

export default function Calendar() {
  const { t, locale } = useTranslation('team');
  const { month, firstDay } = useLoaderData<typeof loader>();
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
