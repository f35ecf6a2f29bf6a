import { CopyButton } from '~/app/components/copy-button';
import { IntentButton } from '~/app/components/intent-button';
import { Form } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { earlier } from '~/server/base/time';
import type { CouponView } from '~/server/domain/coupons/queries';
import { discountText } from './discount-text';
import classes from './sales.module.css';

export function CouponList({ coupons, canManage }: { coupons: CouponView[]; canManage: boolean }) {
  return (
    <ul className={classes.rows}>
      {coupons.map((coupon) => (
        <CouponRow key={coupon.id} coupon={coupon} canManage={canManage} />
      ))}
    </ul>
  );
}

function CouponRow({ coupon, canManage }: { coupon: CouponView; canManage: boolean }) {
  const { t, locale } = useTranslation('coupons');
  const { id, code, state, url, product } = coupon;
  const isDisabled = state === 'disabled';
  const toggle = isDisabled ? 'enable' : 'disable';
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <p className={classes.name}>
          {code}
          <span className={classes.state} data-good={state === 'active' || undefined}>
            {t(`state.${state}`)}
          </span>
        </p>
        <p className={classes.fact}>
          {discountText(coupon, t, locale)} · <bdi>{product.name}</bdi>
        </p>
        <p className={classes.fact}>
          {usageText(coupon, t)}
          {coupon.endsAt && <LastDay endsAt={coupon.endsAt} isOver={state === 'ended'} />}
        </p>
        {state === 'active' && (
          <p className={classes.fact}>
            <a href={url} target="_blank" rel="noreferrer">
              {url.replace(/^https?:\/\//, '')}
            </a>
          </p>
        )}
      </div>
      <div className={classes.actions}>
        {state === 'active' && <CopyButton text={url} label={t('copy')} done={t('copied')} />}
        {canManage && (
          <Form method="post">
            <input type="hidden" name="id" value={id} />
            <IntentButton intent={toggle} label={t(`toggleOf.${toggle}`, { code })}>
              {t(`toggle.${toggle}`)}
            </IntentButton>
          </Form>
        )}
      </div>
    </li>
  );
}

/** The day whose end is the coupon's. */
function LastDay({ endsAt, isOver }: { endsAt: Date; isOver: boolean }) {
  const { t, locale } = useTranslation('coupons');
  const timeZone = useCreatorTimeZone();
  const day = formatDate(earlier(endsAt, 1), locale, { dateStyle: 'medium', timeZone });
  return ` · ${t(isOver ? 'endedOn' : 'endsOn', { day })}`;
}

type T = ReturnType<typeof useTranslation>['t'];

/** `3 of 10 used`, and the number of uses on open payment pages. */
function usageText({ redeemed, open, maxRedemptions }: CouponView, t: T): string {
  const unlimited = redeemed > 0 ? t('used', { count: redeemed }) : t('unused');
  const used = maxRedemptions === null ? unlimited : t('usedOf', { redeemed, count: maxRedemptions });
  return open > 0 ? `${used} · ${t('open', { count: open })}` : used;
}
