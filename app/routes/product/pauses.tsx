import { Alert } from '~/app/components/alert';
import { PageHeader } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { PauseList } from '~/app/features/studio/product/pause-list';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The subscribers of a show, whom the creator can pause. A pause stops their billing and access. */
export const loader = page(async (door) => {
  const ref = productRef(door);
  const [{ id, kind, name }, subscribers] = await Promise.all([
    door.api.products.forEditing(ref),
    door.api.pauses.list({ ...ref, page: pageOf(door.url) as never }),
  ]);
  const title = `${translator(door.context.language, 'product')('pauses.title')}: ${name}`;
  return { title, product: { id, kind, name }, subscribers };
});

export const action = form(
  async (door, { intent, subscription = '', months = '' }) => {
    if (intent === 'end') await door.api.pauses.end({ id: subscription });
    else await door.api.pauses.pause({ id: subscription, months });
    return { ...productRef(door), done: intent === 'end' ? 'pause_ended' : 'paused' };
  },
  {
    then: ({ done, ...ref }, { url }) =>
      withDoneMessage(`${pathsFor(url).pauses(ref)}?page=${Number(pageOf(url)) || 1}`, done),
  },
);

const pageOf = ({ searchParams }: URL) => searchParams.get('page') ?? '1';

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Pauses() {
  const { t } = useTranslation('product');
  const { product, subscribers } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  return (
    <>
      <PageHeader title={t('pauses.title')} back={<Link to={paths.product(product)}>{product.name}</Link>} />
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure.message ?? Object.values(failure.fields).flat().join(' ')}
        </Alert>
      )}
      <p>{t('pauses.lead')}</p>
      <PauseList subscribers={subscribers.items} />
      <Pager page={subscribers.page} pageSize={subscribers.pageSize} total={subscribers.total} />
    </>
  );
}
