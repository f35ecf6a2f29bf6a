import { searchedWords } from '~/app/lib/searched-words';
import { BUYER_STATES, type BuyerState } from '~/db/values/buyer-states';
import { pageIn } from './coupon-query';

export type BuyerQuery = { search: string; state: BuyerState | undefined; page: number };

/** Reads the list's query from the URL. Invalid values are ignored. */
export function buyerQuery(params: URLSearchParams): BuyerQuery {
  return {
    search: searchedWords(params),
    state: BUYER_STATES.find((state) => state === params.get('state')),
    page: pageIn(params),
  };
}
