import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { productRef } from '~/app/features/product/product-door';
import { EDIT_REQUIRED, ProductForm } from '~/app/features/product/product-form';
import { RetireProduct } from '~/app/features/product/retire-product';
import { withDone } from '~/app/features/studio/done';
import { PageHead } from '~/app/features/studio/page-head';
import { titled } from '~/app/features/studio/titled';
import { inputOf } from '~/app/lib/check-form';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/i18n.server';
import { pathsIn, prefixOf, usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { updateProduct } from '~/server/domain/products/schema';

export const loader = page(async (door) => {
  const { api, context } = door;
  const [found, languages] = await Promise.all([api.products.forEditing(productRef(door)), api.reference.languages()]);
  return {
    title: `${translator(context.language, 'product')('edit.title')}: ${found.name}`,
    product: { ...found, picture: found.cover.webp[320] },
    languages,
    base: context.urls.product(found.creator.domain, ''),
  };
});

/** Saves the form, or takes the product off the shelves. */
export const action = form(
  async (door, values) => {
    const ref = productRef(door);
    if (values.intent !== 'retire')
      return door.api.products.update(
        inputOf(updateProduct, { ...values, id: String(ref.id), kind: ref.kind }, EDIT_REQUIRED),
      );
    await door.api.products.retire(ref);
    return null;
  },
  {
    then: (product, { url }) => {
      const paths = pathsIn(prefixOf(url.pathname));
      return product ? withDone(paths.product(product), 'product_saved') : withDone(paths.products, 'product_deleted');
    },
  },
);

export const meta = titled;

export default function EditProduct() {
  const { t } = useTranslation('product');
  const { product, languages, base } = useLoaderData<typeof loader>();
  const refusal = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHead title={t('edit.title')} back={<Link to={paths.product(product)}>{product.name}</Link>} />
      <ProductForm key={product.id} product={product} languages={languages} base={base} refusal={refusal} />
      <RetireProduct product={product} />
    </>
  );
}
