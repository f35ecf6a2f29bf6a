import { Group } from '@mantine/core';
import { redirect } from '@remix-run/node';
import { Button } from '~/app/components/button';
import { EmptyState, MicrophonePicture, NothingFoundPicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { SectionTitle } from '~/app/components/section-title';
import { ProductCards } from '~/app/features/studio/product/product-cards';
import { ProductFilter } from '~/app/features/studio/product/product-filter';
import { isFiltered, productQuery } from '~/app/features/studio/product/product-query';
import { type Door, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { useIsEditor } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';
import { roleMay } from '~/server/policy/roles';

/** Search, kind, order and page are in the URL. */
export const loader = page(async ({ api, context, url }) => {
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  const query = productQuery(url.searchParams);
  const [list, archived] = await Promise.all([
    api.products.list(query),
    api.products.list({ archived: true, pageSize: PAGE_LIMITS.maxSize, ordering: 'name' }),
  ]);
  const title = translator(context.language, 'product')('list.title');
  const plays = await playsOf(api, list.items);
  return { title, query, list, archived: archived.items, plays };
});

/** Null for members who don't read statistics. */
async function playsOf(api: Door['api'], shows: { id: number }[]): Promise<Map<number, number> | null> {
  const { role } = await api.accounts.me();
  if (!role || !roleMay(role, 'creator.readStatistics')) return null;
  const plays = await api.listening.playsOfShows({ productIds: shows.map(({ id }) => id) });
  return new Map(plays.map(({ id, listens, downloads }) => [id, listens + downloads]));
}

export const meta = titleMeta;

export default function Products() {
  const { t } = useTranslation('product');
  const { list, archived, query } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const isEditor = useIsEditor();
  const create = isEditor && (
    <Button component={Link} to={paths.createProduct}>
      {t('list.create')}
    </Button>
  );
  const importLink = isEditor && (
    <Button component={Link} to={paths.newImport} variant="default">
      {t('list.import')}
    </Button>
  );
  const actions = (
    <Group gap={8}>
      {importLink}
      {create}
    </Group>
  );
  const isEmpty = list.total === 0 && !isFiltered(query);
  return (
    <>
      <PageHeader title={t('list.title')} action={!isEmpty && actions} />
      {isEmpty ? (
        <EmptyState picture={<MicrophonePicture />} title={t('list.emptyTitle')} action={actions}>
          {isEditor && t('list.emptyText')}
        </EmptyState>
      ) : (
        <FoundProducts />
      )}
      {archived.length > 0 && (
        <section aria-labelledby="archived" style={{ marginTop: 64 }}>
          <SectionTitle id="archived">{t('list.archived')}</SectionTitle>
          <p style={{ color: 'var(--muted)' }}>{t('list.archivedText')}</p>
          <ProductCards products={archived} />
        </section>
      )}
    </>
  );
}

function FoundProducts() {
  const { t } = useTranslation('product');
  const { list, query, plays } = useLoaderData<typeof loader>();
  const all = (
    <Button component={Link} to="?" reloadDocument variant="default">
      {t('list.showAll')}
    </Button>
  );
  return (
    <>
      <ProductFilter query={query} />
      {list.total === 0 ? (
        <EmptyState picture={<NothingFoundPicture />} title={t('list.nothingFound')} action={all} />
      ) : (
        <ProductCards products={list.items} plays={plays} />
      )}
      <Pager page={list.page} pageSize={list.pageSize} total={list.total} />
    </>
  );
}
