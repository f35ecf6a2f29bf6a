import { searchedWords } from '~/app/lib/searched-words';
import { COUPON_STATES, type CouponState } from '~/server/domain/coupons/kinds';

export type CouponQuery = { search: string; state: CouponState | undefined; page: number };

/** Reads the list's query from the URL. Invalid values are ignored. */
export function couponQuery(params: URLSearchParams): CouponQuery {
  return {
    search: searchedWords(params),
    state: COUPON_STATES.find((state) => state === params.get('state')),
    page: pageIn(params),
  };
}

export function pageIn(params: URLSearchParams): number {
  const page = Number(params.get('page'));
  return Number.isSafeInteger(page) && page > 0 && page <= 100_000 ? page : 1;
}
