import { PageHeader } from '~/app/components/page-header';
import { ConfirmIdentity } from '~/app/features/listener/account/confirm-identity';
import { CheckedTarget } from '~/app/features/studio/moving/checked-target';
import { RedirectState } from '~/app/features/studio/moving/redirect-state';
import { TargetForm } from '~/app/features/studio/moving/target-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { stayingFeed } from '~/server/base/public-paths';
import type { CheckedFeed } from '~/server/domain/moving/redirects/redirect-feed';

/** Redirects the public feed of a show to another host. */
export const loader = page(async (door) => {
  const { api, context } = door;
  await requireAbility(door, 'product.handOver');
  const ref = productRef(door);
  const [{ id, kind, name, slug, creator }, redirect, { missingProof, passkeys }] = await Promise.all([
    api.products.forEditing(ref),
    api.moving.redirect(ref),
    api.accounts.secondFactor(),
  ]);
  const feedUrl = context.urls.feed(creator.domain, slug);
  const title = `${translator(context.language, 'moving')('redirect.title')}: ${name}`;
  const feeds = { feedUrl, stayingUrl: stayingFeed(feedUrl) };
  return { title, product: { id, kind, name }, ...feeds, redirect, missingProof, passkeys };
});

export const action = form<string | CheckedFeed>(
  sectionAction<string | CheckedFeed>({
    check: (door, { url = '' }) => door.api.moving.check({ ...productRef(door), url }),
    redirect: async (door, { url = '' }) =>
      (await door.api.moving.redirectFeed({ ...productRef(door), url })) && 'feed_redirected',
    confirm: async ({ api }, values) => {
      await api.accounts.confirmIdentity(values as never);
      return 'identity_confirmed';
    },
    undo: async (door) => {
      await door.api.moving.undo(productRef(door));
      return 'redirect_undone';
    },
  }),
  {
    then: (done, door) =>
      typeof done === 'string'
        ? withDoneMessage(pathsFor(door.url).redirectFeed(productRef(door)), done)
        : Response.json({ checked: done }),
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function RedirectFeed() {
  const { t } = useTranslation('moving');
  const { product, redirect, feedUrl, stayingUrl, missingProof, passkeys } = useLoaderData<typeof loader>();
  const result = useActionData<FormFailure | { checked: CheckedFeed }>();
  const paths = usePaths();
  const failure = result && 'ok' in result ? result : undefined;
  return (
    <>
      <PageHeader
        title={t('redirect.title')}
        lead={t('redirect.lead')}
        back={<Link to={paths.product(product)}>{product.name}</Link>}
        help="redirect"
      />
      {redirect ? (
        <RedirectState redirect={redirect} feedUrl={feedUrl} stayingUrl={stayingUrl} failure={failure} />
      ) : missingProof === 'second_factor' ? (
        <ConfirmIdentity state={{ passkeys }} proof={missingProof} failure={failure} />
      ) : result && 'checked' in result ? (
        <CheckedTarget checked={result.checked} feedUrl={feedUrl} />
      ) : (
        <TargetForm failure={failure} />
      )}
    </>
  );
}
