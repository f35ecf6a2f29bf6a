import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { CREATE_REQUIRED, ProductForm } from '~/app/features/product/product-form';
import { withDone } from '~/app/features/studio/done';
import { PageHead } from '~/app/features/studio/page-head';
import { titled } from '~/app/features/studio/titled';
import { inputOf } from '~/app/lib/check-form';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/i18n.server';
import { pathsIn, prefixOf } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { kindOfPath } from '~/server/domain/products/kinds';
import { createProduct } from '~/server/domain/products/schema';

/** Whoever has no creator page yet claims one first. */
export const loader = page(async ({ api, context, url }) => {
  const creator = await api.creators.mine();
  if (!creator) throw redirect(pathsIn(prefixOf(url.pathname)).creatorPage);
  const languages = await api.reference.languages();
  const kind = kindOfPath(url.searchParams.get('kind') ?? '') ?? undefined;
  const title = translator(context.language, 'product')('create.title');
  return { title, languages, kind, base: context.urls.product(creator.domain, '') };
});

export const action = form(({ api }, values) => api.products.create(inputOf(createProduct, values, CREATE_REQUIRED)), {
  then: (product, { url }) => withDone(pathsIn(prefixOf(url.pathname)).product(product), 'product_created'),
});

export const meta = titled;

export default function CreateProduct() {
  const { t } = useTranslation('product');
  const { languages, kind, base } = useLoaderData<typeof loader>();
  const refusal = useActionData<FormFailure>();
  return (
    <>
      <PageHead title={t('create.title')} lead={t('create.lead')} />
      <ProductForm product={null} kind={kind} languages={languages} base={base} refusal={refusal} />
    </>
  );
}
