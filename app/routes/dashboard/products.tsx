import { Button } from '@mantine/core';
import { redirect } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { EmptyState, MicrophonePicture } from '~/app/components/empty-state';
import { Pager } from '~/app/components/pager';
import { ProductCards } from '~/app/features/product/product-cards';
import { PageHead } from '~/app/features/studio/page-head';
import { usePagerWords } from '~/app/features/studio/pager-words';
import { titled } from '~/app/features/studio/titled';
import { page } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/i18n.server';
import { pathsIn, prefixOf, usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(async ({ api, context, url }) => {
  if (!(await api.creators.mine())) throw redirect(pathsIn(prefixOf(url.pathname)).creatorPage);
  const title = translator(context.language, 'product')('list.title');
  return { title, ...(await api.products.list({ page: url.searchParams.get('page') ?? undefined })) };
});

export const meta = titled;

export default function Products() {
  const { t } = useTranslation('product');
  const { items, total, page, pageSize } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const words = usePagerWords();
  const create = (
    <Button component={Link} to={paths.createProduct}>
      {t('list.create')}
    </Button>
  );
  if (total === 0) {
    return (
      <>
        <PageHead title={t('list.title')} />
        <EmptyState picture={<MicrophonePicture />} title={t('list.emptyTitle')} action={create}>
          {t('list.emptyText')}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHead title={t('list.title')} action={create} />
      <ProductCards products={items} />
      <Pager page={page} pageSize={pageSize} total={total} words={words} />
    </>
  );
}
