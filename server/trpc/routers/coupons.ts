import { createCoupon, setCouponState } from '~/server/domain/coupons/manage-coupons';
import { listCoupons } from '~/server/domain/coupons/queries';
import * as schema from '~/server/domain/coupons/schema';
import { checkCoupon } from '~/server/domain/coupons/usable-coupon';
import { creatorProcedure, limited, router } from '../init';

export const couponsRouter = router({
  list: creatorProcedure
    .meta({ openTo: 'creator.readCoupons' })
    .input(schema.listCoupons)
    .query(({ ctx, input }) => listCoupons(ctx, input)),
  create: creatorProcedure.input(schema.createCoupon).mutation(({ ctx, input }) => createCoupon(ctx, input)),
  setState: creatorProcedure.input(schema.setCouponState).mutation(({ ctx, input }) => setCouponState(ctx, input)),
  check: limited('checkCoupon')
    .input(schema.checkCoupon)
    .query(({ ctx, input }) => checkCoupon(ctx, input)),
});
