import { Button } from '~/app/components/button';
import { EmptyState, NothingFoundPicture, PagePicture } from '~/app/components/empty-state';
import { TextField } from '~/app/components/fields';
import { TabLead } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { SectionForm } from '~/app/features/listener/account/section-form';
import { BuyerTable } from '~/app/features/studio/sales/buyer-list';
import { buyerQuery } from '~/app/features/studio/sales/buyer-query';
import classes from '~/app/features/studio/sales/sales.module.css';
import { StateFilter } from '~/app/features/studio/sales/state-filter';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { BUYER_STATES } from '~/db/values/buyer-states';
import { KINDS } from '~/server/domain/products/kinds';

/** The subscribers of a podcast, or the customers of an audio series. Search, state and page are in the URL. */
export const loader = page(async (door) => {
  const ref = productRef(door);
  const query = buyerQuery(door.url.searchParams);
  const list = await door.api.buyers.list({ ...ref, ...query });
  const title = translator(door.context.language, 'buyers')(`title.${KINDS[ref.kind].buyers}`);
  return { title: `${title}: ${list.show.name}`, query, list };
});

/** Invites a listener for free. */
export const action = form(
  async (door, { email }) => {
    const ref = productRef(door);
    await door.api.buyers.invite({ ...ref, email: email as string });
    return ref;
  },
  { then: (ref, { url }) => withDoneMessage(pathsFor(url).buyers(ref), 'buyer_invited') },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Buyers() {
  const { t } = useTranslation('buyers');
  const { list, query } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const { show, canManage } = list;
  const { buyers } = KINDS[show.kind];
  const isEmpty = list.total === 0 && !query.search && !query.state;
  return (
    <>
      <TabLead title={t(`title.${buyers}`)} />
      {isEmpty ? (
        <EmptyState picture={<PagePicture />} title={t(`none.${buyers}`)}>
          {t('noneText')}
        </EmptyState>
      ) : (
        <FoundBuyers />
      )}
      {canManage && !show.isFree && <Invitation />}
      {canManage && !show.isFree && KINDS[show.kind].sale === 'subscription' && (
        <p className={classes.export}>
          <Link to={paths.importSubscribers(show)}>{t('import')}</Link>
        </p>
      )}
    </>
  );
}

function FoundBuyers() {
  const { t } = useTranslation('buyers');
  const { list, query } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const all = (
    <Button component={Link} to="?" reloadDocument variant="default">
      {t('showAll')}
    </Button>
  );
  return (
    <>
      <StateFilter texts="buyers" states={BUYER_STATES} query={query} />
      {list.total === 0 ? (
        <EmptyState picture={<NothingFoundPicture />} title={t('nothingFound')} action={all} />
      ) : (
        <BuyerTable show={list.show} buyers={list.items} />
      )}
      <Pager page={list.page} pageSize={list.pageSize} total={list.total} />
      <p className={classes.export}>
        <a href={`${paths.buyers(list.show)}.csv`} download>
          {t('export')}
        </a>{' '}
        <span className={classes.fact}>{t('exportText')}</span>
      </p>
    </>
  );
}

function Invitation() {
  const { t } = useTranslation('buyers');
  const { list } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  return (
    <div className={classes.sections} id="invite">
      <SectionForm
        intent="invite"
        title={t('invite.title')}
        initial={{ email: '' }}
        failure={failure}
        submit={t('invite.submit')}
        anchor="invite"
      >
        {!list.acceptsBuyers && <p className={classes.notice}>{t('invite.full')}</p>}
        <TextField name="email" type="email" label={t('invite.email')} help={t('invite.help')} autoComplete="off" />
      </SectionForm>
    </div>
  );
}
