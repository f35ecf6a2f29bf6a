import { Button } from '@mantine/core';
import { redirect } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { EmptyState, MicrophonePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { ProductCards } from '~/app/features/product/product-cards';
import { page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(async ({ api, context, url }) => {
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  const title = translator(context.language, 'product')('list.title');
  return { title, ...(await api.products.list({ page: url.searchParams.get('page') ?? undefined })) };
});

export const meta = titleMeta;

export default function Products() {
  const { t } = useTranslation('product');
  const { items, total, page, pageSize } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const create = (
    <Button component={Link} to={paths.createProduct}>
      {t('list.create')}
    </Button>
  );
  if (total === 0) {
    return (
      <>
        <PageHeader title={t('list.title')} />
        <EmptyState picture={<MicrophonePicture />} title={t('list.emptyTitle')} action={create}>
          {t('list.emptyText')}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader title={t('list.title')} action={create} />
      <ProductCards products={items} />
      <Pager page={page} pageSize={pageSize} total={total} />
    </>
  );
}
