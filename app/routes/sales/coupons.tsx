import { redirect } from '@remix-run/node';
import { Button } from '~/app/components/button';
import { EmptyState, NothingFoundPicture, PagePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { CouponList } from '~/app/features/studio/sales/coupon-list';
import { couponQuery } from '~/app/features/studio/sales/coupon-query';
import classes from '~/app/features/studio/sales/sales.module.css';
import { StateFilter } from '~/app/features/studio/sales/state-filter';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { COUPON_STATES } from '~/server/domain/coupons/kinds';

/** The coupons of all shows. Search, state and page are in the URL. */
export const loader = page(async ({ api, context, url }) => {
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  const query = couponQuery(url.searchParams);
  const list = await api.coupons.list(query);
  return { title: translator(context.language, 'coupons')('title'), query, list };
});

const idIn = ({ id = '' }: Record<string, string>) => Number(id) || 0;

export const action = form(
  sectionAction({
    disable: async ({ api }, values) => {
      await api.coupons.setState({ id: idIn(values), disabled: true });
      return 'coupon_disabled';
    },
    enable: async ({ api }, values) => {
      await api.coupons.setState({ id: idIn(values), disabled: false });
      return 'coupon_enabled';
    },
  }),
  { then: (done, { url }) => withDoneMessage(pathsFor(url).coupons + url.search, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Coupons() {
  const { t } = useTranslation('coupons');
  const { list, query } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  const canCreate = list.canManage && list.isOffered;
  const create = canCreate && (
    <Button component={Link} to={paths.createCoupon}>
      {t('create')}
    </Button>
  );
  const isEmpty = list.total === 0 && !query.search && !query.state;
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} action={!isEmpty && create} help="coupons" />
      {!list.isOffered && (
        <p className={classes.notice}>
          {t('notOffered')} {list.canManage && <Link to={paths.plans}>{t('toPlans')}</Link>}
        </p>
      )}
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
        <FoundCoupons />
      )}
    </>
  );
}

function FoundCoupons() {
  const { t } = useTranslation('coupons');
  const { list, query } = useLoaderData<typeof loader>();
  const all = (
    <Button component={Link} to="?" reloadDocument variant="default">
      {t('showAll')}
    </Button>
  );
  return (
    <>
      <StateFilter texts="coupons" states={COUPON_STATES} query={query} />
      {list.total === 0 ? (
        <EmptyState picture={<NothingFoundPicture />} title={t('nothingFound')} action={all} />
      ) : (
        <CouponList coupons={list.items} canManage={list.canManage} />
      )}
      <Pager page={list.page} pageSize={list.pageSize} total={list.total} />
    </>
  );
}
