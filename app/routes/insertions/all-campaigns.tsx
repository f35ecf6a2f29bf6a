import { redirect } from '@remix-run/node';
import { EmptyState, NothingFoundPicture, PagePicture } from '~/app/components/empty-state';
import { FilterForm } from '~/app/components/filter-form';
import { PageHeader } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { CampaignList } from '~/app/features/studio/insertions/campaign-list';
import { CreateButton } from '~/app/features/studio/insertions/create-button';
import classes from '~/app/features/studio/insertions/insertions.module.css';
import { NotOffered } from '~/app/features/studio/insertions/not-offered';
import { rowAction } from '~/app/features/studio/insertions/row-action.server';
import { pageIn } from '~/app/features/studio/sales/coupon-query';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { searchedWords } from '~/app/lib/searched-words';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The campaigns of all shows. Search and page are in the URL. */
export const loader = page(async ({ api, context, url }) => {
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  const search = searchedWords(url.searchParams);
  const list = await api.campaigns.list({ search, page: pageIn(url.searchParams) });
  return { title: translator(context.language, 'campaigns')('title'), search, list };
});

export const action = form(rowAction, {
  then: (done, { url }) => withDoneMessage(pathsFor(url).allInsertions + url.search, done),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function AllCampaigns() {
  const { t } = useTranslation('campaigns');
  const { list, search } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  const create = list.canManage && <CreateButton to={paths.chooseShowOfCampaign} isOffered={list.isOffered} />;
  const isEmpty = list.total === 0 && search === '';
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} action={!isEmpty && create} help="allInsertions" />
      {!list.isOffered && <NotOffered canManage={list.canManage} />}
      {failure?.message && (
        <p className={classes.notice} role="alert">
          {failure.message}
        </p>
      )}
      {isEmpty ? (
        <EmptyState picture={<PagePicture />} title={t('none')} action={create}>
          {t('noneText')}
        </EmptyState>
      ) : (
        <>
          <FilterForm
            label={t('filter.label')}
            apply={t('filter.apply')}
            search={{ label: t('filter.search'), value: search }}
          >
            {null}
          </FilterForm>
          {list.total === 0 ? (
            <EmptyState picture={<NothingFoundPicture />} title={t('nothingFound')} />
          ) : (
            <CampaignList campaigns={list.items} canManage={list.canManage} namesShows />
          )}
        </>
      )}
      <Pager page={list.page} pageSize={list.pageSize} total={list.total} />
    </>
  );
}
