import { Alert } from '~/app/components/alert';
import { PageHeader } from '~/app/components/page-header';
import { MovedShare } from '~/app/features/studio/moving/moved-share';
import classes from '~/app/features/studio/moving/moving.module.css';
import { OldFeedState } from '~/app/features/studio/moving/old-feed-state';
import { RedirectSteps } from '~/app/features/studio/moving/redirect-steps';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/**
 * The former host's feed of an imported show: whether we follow it, whether it redirects, and whether apps still use
 * it.
 */
export const loader = page(async (door) => {
  const { api, context } = door;
  const ref = productRef(door);
  const [{ id, kind, name }, found] = await Promise.all([
    api.products.forEditing(ref),
    api.imports.oldFeed({ productId: ref.id }),
  ]);
  const texts = translator(context.language, 'errors');
  const reason = found.failure ? texts(found.failure.code, found.failure.params) : null;
  const title = `${translator(context.language, 'moving')('old.title')}: ${name}`;
  return { title, product: { id, kind, name }, found, reason };
});

const idOf = (door: Parameters<typeof productRef>[0]) => ({ productId: productRef(door).id });

export const action = form(
  sectionAction({
    follow: async (door) => {
      await door.api.imports.followOldFeed({ ...idOf(door), follows: true });
      return 'old_feed_followed';
    },
    stop: async (door) => {
      await door.api.imports.followOldFeed({ ...idOf(door), follows: false });
      return 'old_feed_stopped';
    },
    check: async (door) => {
      await door.api.imports.checkOldFeed(idOf(door));
      return 'old_feed_checked';
    },
  }),
  { then: (done, door) => withDoneMessage(pathsFor(door.url).oldFeed(productRef(door)), done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function OldFeed() {
  const { t } = useTranslation('moving');
  const { product, found, reason } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHeader
        title={t('old.title')}
        lead={t('old.lead')}
        back={<Link to={paths.product(product)}>{product.name}</Link>}
      />
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      <div className={classes.page}>
        <OldFeedState found={found} reason={reason} />
        <RedirectSteps found={found} />
        <MovedShare found={found} />
      </div>
    </>
  );
}
