import type { KindName } from '~/server/domain/products/kinds';

export type Purchase = { productId: number; kind: KindName; interval: 'month' | 'year' | 'once' };

/**
 * Where somebody buys a show: the only place that knows it. Null as long as there is no checkout, and pages then show
 * the price without a button.
 */
export const buyPath = (_purchase: Purchase): string | null => null;
