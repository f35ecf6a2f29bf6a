import { PageHeader } from '~/app/components/page-header';
import { DangerZone } from '~/app/features/studio/product/danger-zone';
import { ProductForm, UPDATE_REQUIRED } from '~/app/features/studio/product/product-form';
import { SectionLinks } from '~/app/features/studio/product/section-links';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { updateProduct } from '~/server/domain/products/schema';

export const loader = page(async (door) => {
  const { api, context } = door;
  await requireAbility(door, 'product.manage');
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

/** Saves the form, or archives or deletes the product. */
export const action = form(
  async (door, values) => {
    const ref = productRef(door);
    const done = (message: string) => ({ ...ref, message });
    if (values.intent === 'archive') await door.api.products.archive(ref);
    else if (values.intent === 'unarchive') await door.api.products.unarchive(ref);
    else if (values.intent === 'delete')
      await door.api.products.retire({ ...ref, confirmation: values.confirmation ?? '' });
    else {
      const changes = { ...values, id: String(ref.id), kind: ref.kind };
      await door.api.products.update(toInput(updateProduct, changes, UPDATE_REQUIRED));
    }
    return done(DONE[values.intent ?? ''] ?? 'product_saved');
  },
  {
    then: ({ message, ...product }, { url }) => {
      const paths = pathsFor(url);
      return withDoneMessage(message === DONE.delete ? paths.products : paths.product(product), message);
    },
  },
);

const DONE: Record<string, string> = {
  archive: 'product_archived',
  unarchive: 'product_unarchived',
  delete: 'product_deleted',
};

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EditProduct() {
  const { t } = useTranslation('product');
  const { product, languages, base } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  const isDangerous = (failure?.values.intent ?? '') in DONE;
  return (
    <>
      <PageHeader title={t('edit.title')} back={<Link to={paths.product(product)}>{product.name}</Link>} />
      <SectionLinks />
      <ProductForm
        key={product.id}
        product={product}
        languages={languages}
        base={base}
        failure={isDangerous ? undefined : failure}
      />
      <DangerZone product={product} failure={isDangerous ? failure : undefined} />
    </>
  );
}
