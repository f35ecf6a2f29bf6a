import { redirect } from '@remix-run/node';
import { Button } from '~/app/components/button';
import { EmptyState, MicrophonePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import classes from '~/app/features/studio/insertions/insertions.module.css';
import { page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Link, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';

/** Chooses the show of a new campaign. A creator with one show needs no choice. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const paths = pathsFor(url);
  if (!(await api.creators.mine())) throw redirect(paths.start('page'));
  await requireAbility(door, 'campaign.manage');
  const { items } = await api.products.list({ pageSize: PAGE_LIMITS.maxSize, ordering: 'name' });
  const [first, ...others] = items;
  if (first && others.length === 0) throw redirect(paths.createCampaign(first));
  const shows = items.map(({ id, kind, name }) => ({ id, kind, name }));
  return { title: translator(context.language, 'campaigns')('createTitle'), shows };
});

export const meta = titleMeta;

export default function ChooseShow() {
  const { t } = useTranslation('campaigns');
  const { shows } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const toShows = (
    <Button component={Link} to={paths.products} variant="default">
      {t('toShows')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('createTitle')}
        lead={t('chooseShow')}
        back={<Link to={paths.allInsertions}>{t('title')}</Link>}
      />
      {shows.length === 0 ? (
        <EmptyState picture={<MicrophonePicture />} title={t('noShows')} action={toShows} />
      ) : (
        <ul className={classes.rows}>
          {shows.map((show) => (
            <li key={show.id} className={classes.row}>
              <p className={classes.name}>
                <Link to={paths.createCampaign(show)} dir="auto">
                  {show.name}
                </Link>
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
