import { redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import rows from '~/app/components/rows.module.css';
import { page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Link, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';

/** Which show is to recommend another one. Creators with one show go to its search at once. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const paths = pathsFor(url);
  if (!(await api.creators.mine())) throw redirect(paths.start('page'));
  await requireAbility(door, 'recommendation.manage');
  const { items: shows } = await api.products.list({ pageSize: PAGE_LIMITS.maxSize, ordering: 'name' });
  const [first, ...others] = shows;
  if (!first) throw redirect(paths.products);
  if (others.length === 0) throw redirect(paths.selectRecommendation(first));
  const title = translator(context.language, 'recommending')('which.title');
  return { title, shows: shows.map(({ id, kind, name }) => ({ id, kind, name })) };
});

export const meta = titleMeta;

export default function ChooseShow() {
  const { t } = useTranslation('recommending');
  const { shows } = useLoaderData<typeof loader>();
  const paths = usePaths();
  return (
    <>
      <PageHeader
        title={t('which.title')}
        lead={t('which.lead')}
        back={<Link to={paths.recommendations}>{t('title')}</Link>}
      />
      <ul className={rows.rows}>
        {shows.map((show) => (
          <li key={show.id} className={rows.lined}>
            <Link to={paths.selectRecommendation(show)} dir="auto">
              {show.name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
