import { Alert, Button } from '@mantine/core';
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react';
import { PageHeader } from '~/app/components/page-header';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { FreeConversion } from '~/app/features/product/free-conversion';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** Makes a paid show free once nobody subscribes any more (spec §4). */
export const loader = page(async (door) => {
  const { api, context } = door;
  const ref = productRef(door);
  const [{ id, kind, name }, state] = await Promise.all([
    api.products.forEditing(ref),
    api.products.freeConversion(ref),
  ]);
  const title = `${translator(context.language, 'product')('free.title')}: ${name}`;
  return { title, product: { id, kind, name }, state };
});

export const action = form(
  async (door, { intent }) => {
    const ref = productRef(door);
    if (intent === 'keep') await door.api.products.callOffFreeConversion(ref);
    else await door.api.products.startFreeConversion(ref);
    return { ...ref, isKept: intent === 'keep', state: await door.api.products.freeConversion(ref) };
  },
  {
    then: (result, { url }) => {
      const paths = pathsFor(url);
      if (result.state.isFree) return withDoneMessage(paths.product(result), 'product_free');
      return withDoneMessage(paths.freeProduct(result), result.isKept ? 'product_kept' : 'product_waiting');
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function FreeProduct() {
  const { t } = useTranslation('product');
  const { product, state } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  return (
    <>
      <PageHeader title={t('free.title')} back={<Link to={paths.editProduct(product)}>{product.name}</Link>} />
      {failure?.message && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      <FreeConversion state={state}>
        <Form method="post">
          <Button type="submit" name="intent" value={state.waitingSince ? 'keep' : 'start'} disabled={state.isFree}>
            {t(state.waitingSince ? 'free.keep' : state.subscribers > 0 ? 'free.start' : 'free.now')}
          </Button>
        </Form>
      </FreeConversion>
    </>
  );
}
