import { redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { SectionTitle } from '~/app/components/section-title';
import { ImportNotice } from '~/app/features/studio/episode/import-notice';
import { PromoList } from '~/app/features/studio/episode/promo-list';
import classes from '~/app/features/studio/episode/sound-tools.module.css';
import { page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';

/**
 * The promos of all shows. Redirects creators with one show to that show's promos, and creators without shows to the
 * form for one.
 */
export const loader = page(async ({ api, context, url }) => {
  const paths = pathsFor(url);
  if (!(await api.creators.mine())) throw redirect(paths.start('page'));
  const episodes = await api.episodes.promos();
  const { items: shows } = await api.products.list({ pageSize: PAGE_LIMITS.maxSize, ordering: 'name' });
  const [first, ...others] = shows;
  if (!first) throw redirect(paths.products);
  if (others.length === 0) throw redirect(paths.promotions(first));
  return { title: translator(context.language, 'episode')('promo.allTitle'), shows, episodes };
});

export const meta = titleMeta;

export default function AllPromotions() {
  const { t } = useTranslation('episode');
  const { shows, episodes } = useLoaderData<typeof loader>();
  const paths = usePaths();
  return (
    <>
      <PageHeader title={t('promo.allTitle')} />
      <p>{t('promo.help')}</p>
      <ImportNotice />
      {shows.map((show) => {
        const own = episodes.filter(({ productId }) => productId === show.id);
        return (
          <section key={show.id} aria-labelledby={`show-${show.id}`} className={classes.show}>
            <SectionTitle id={`show-${show.id}`}>{show.name}</SectionTitle>
            {own.length > 0 ? <PromoList product={show} episodes={own} /> : <p className="muted">{t('promo.none')}</p>}
            <Link to={paths.promotions(show)}>{t('promo.manage', { name: show.name })}</Link>
          </section>
        );
      })}
    </>
  );
}
