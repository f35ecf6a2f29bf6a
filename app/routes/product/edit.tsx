import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { PageHeader } from '~/app/components/page-header';
import { DeleteProduct } from '~/app/features/product/delete-product';
import { ProductForm, UPDATE_REQUIRED } from '~/app/features/product/product-form';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { updateProduct } from '~/server/domain/products/schema';

export const loader = page(async (door) => {
  const { api, context } = door;
  const [product, languages] = await Promise.all([
    api.products.forEditing(productRef(door)),
    api.reference.languages(),
  ]);
  return {
    title: `${translator(context.language, 'product')('edit.title')}: ${product.name}`,
    product: { ...product, picture: product.cover.webp[1400] },
    languages,
    base: context.urls.product(product.creator.domain, ''),
  };
});

/** Saves the form, or deletes the product. */
export const action = form(
  async (door, values) => {
    const ref = productRef(door);
    if (values.intent !== 'delete')
      return door.api.products.update(
        toInput(updateProduct, { ...values, id: String(ref.id), kind: ref.kind }, UPDATE_REQUIRED),
      );
    await door.api.products.retire(ref);
    return null;
  },
  {
    then: (product, { url }) => {
      const paths = pathsFor(url);
      return product
        ? withDoneMessage(paths.product(product), 'product_saved')
        : withDoneMessage(paths.products, 'product_deleted');
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EditProduct() {
  const { t } = useTranslation('product');
  const { product, languages, base } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHeader title={t('edit.title')} back={<Link to={paths.product(product)}>{product.name}</Link>} />
      <ProductForm key={product.id} product={product} languages={languages} base={base} failure={failure} />
      <DeleteProduct product={product} />
    </>
  );
}
