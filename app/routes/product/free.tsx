import { Alert } from '~/app/components/alert';
import { PageHeader } from '~/app/components/page-header';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { FreeConversion } from '~/app/features/studio/product/free-conversion';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';

/** Makes a paid show free once it has no subscribers any more (spec §4). */
export const loader = page(async (door) => {
  const { api, context } = door;
  const ref = productRef(door);
  const [{ id, kind, name }, state, unused] = await Promise.all([
    api.products.forEditing(ref),
    api.products.freeConversion(ref),
    api.products.unusedPayments(ref),
  ]);
  const title = `${translator(context.language, 'product')('free.title')}: ${name}`;
  return { title, product: { id, kind, name }, state, unused };
});

export const action = form(
  async (door, { intent, isConfirmed }) => {
    const ref = productRef(door);
    if (intent === 'show') await door.api.products.askForUnused(ref);
    else if (intent === 'keep') await door.api.products.callOffFreeConversion(ref);
    else if (intent === 'refund') await door.api.products.startFreeConversion({ ...ref, how: intent, isConfirmed });
    else await door.api.products.startFreeConversion({ ...ref, how: 'at_period_end' });
    return { ...ref, intent, state: await door.api.products.freeConversion(ref) };
  },
  {
    then: (result, { url }) => {
      const paths = pathsFor(url);
      if (result.intent === 'show') return paths.freeProduct(result);
      if (result.state.isFree) return withDoneMessage(paths.product(result), 'product_free');
      return withDoneMessage(paths.freeProduct(result), doneAfter(result.intent));
    },
  },
);

const doneAfter = (intent?: string) =>
  intent === 'keep' ? 'product_kept' : intent === 'refund' ? 'product_refunding' : 'product_waiting';

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function FreeProduct() {
  const { t } = useTranslation('product');
  const { product, state, unused } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  useRefresh(!failure && unused?.found === null);
  const paths = usePaths();
  return (
    <>
      <PageHeader title={t('free.title')} back={<Link to={paths.settings(product, 'danger')}>{product.name}</Link>} />
      {failure?.message && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      <FreeConversion state={state} unused={unused} />
    </>
  );
}
