import { redirect } from '@remix-run/node';
import { Button } from '~/app/components/button';
import { EmptyState, PagePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import headerClasses from '~/app/components/page-header.module.css';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { CouponForm, type SoldShow } from '~/app/features/studio/sales/coupon-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';

/** A new coupon, for one of the shows that have a price. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  await requireAbility(door, 'coupon.manage');
  const { items } = await api.products.list({ pageSize: PAGE_LIMITS.maxSize, ordering: 'name' });
  const shows = items.flatMap(({ id, name, kind, priceMinor, annualPriceMinor, currency }): SoldShow[] =>
    priceMinor === null ? [] : [{ id, name, kind, priceMinor, annualPriceMinor, currency }],
  );
  return { title: translator(context.language, 'coupons')('createTitle'), shows };
});

export const action = form(({ api }, { intent: _, ...values }) => api.coupons.create(values as never), {
  then: (_, { url }) => withDoneMessage(pathsFor(url).coupons, 'coupon_created'),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function NewCoupon() {
  const { t } = useTranslation('coupons');
  const { shows } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  const toShows = (
    <Button component={Link} to={paths.products} variant="default">
      {t('toShows')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('createTitle')} back={<Link to={paths.coupons}>{t('title')}</Link>} />
      {shows.length === 0 ? (
        <EmptyState picture={<PagePicture />} title={t('noShows')} action={toShows}>
          {t('noShowsText')}
        </EmptyState>
      ) : (
        <div className={headerClasses.form}>
          <CouponForm shows={shows} failure={failure} />
        </div>
      )}
    </>
  );
}
