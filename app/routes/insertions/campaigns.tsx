import { Button } from '~/app/components/button';
import { EmptyState, PagePicture } from '~/app/components/empty-state';
import { TabLead } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { CampaignList } from '~/app/features/studio/insertions/campaign-list';
import { CreateButton } from '~/app/features/studio/insertions/create-button';
import classes from '~/app/features/studio/insertions/insertions.module.css';
import { NotOffered } from '~/app/features/studio/insertions/not-offered';
import { PromiseForm } from '~/app/features/studio/insertions/promise-form';
import { showAction } from '~/app/features/studio/insertions/row-action.server';
import { pageIn } from '~/app/features/studio/sales/coupon-query';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { useIsEditor } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The campaigns of a show. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const ref = productRef(door);
  const [{ name, isFree, insertionFreeSince }, list] = await Promise.all([
    api.products.forEditing(ref),
    api.campaigns.list({ productId: ref.id, page: pageIn(url.searchParams) }),
  ]);
  return {
    title: `${translator(context.language, 'campaigns')('title')} · ${name}`,
    show: ref,
    list,
    isFree,
    isPromised: insertionFreeSince !== null,
  };
});

export const action = form(showAction, {
  then: (done, door) => withDoneMessage(pathsFor(door.url).insertions(productRef(door)), done),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Campaigns() {
  const { t } = useTranslation('campaigns');
  const { t: tPlaces } = useTranslation('places');
  const isEditor = useIsEditor();
  const { show, list, isFree, isPromised } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  const create = list.canManage && <CreateButton to={paths.createCampaign(show)} isOffered={list.isOffered} />;
  const toPlaces = isEditor && (
    <Button component={Link} to={paths.placesOfShow(show)} variant="default">
      {tPlaces('show.link')}
    </Button>
  );
  return (
    <>
      <TabLead title={t('title')}>{t('lead')}</TabLead>
      {!list.isOffered && <NotOffered canManage={list.canManage} />}
      {failure?.message && (
        <p className={classes.notice} role="alert">
          {failure.message}
        </p>
      )}
      {list.total === 0 ? (
        <>
          <div className={classes.tools}>{toPlaces}</div>
          <EmptyState picture={<PagePicture />} title={t('none')} action={create}>
            {t('noneText')}
          </EmptyState>
        </>
      ) : (
        <>
          <div className={classes.tools}>
            {create}
            {toPlaces}
          </div>
          <CampaignList campaigns={list.items} canManage={list.canManage} />
        </>
      )}
      <Pager page={list.page} pageSize={list.pageSize} total={list.total} />
      {(!isFree || isPromised) && <PromiseForm isPromised={isPromised} canManage={list.canManage} />}
    </>
  );
}
