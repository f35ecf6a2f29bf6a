import { sitePathsIn } from '~/app/lib/site-paths';
import type { Language } from '~/locales/languages';
import type { SaleInterval } from '~/server/domain/billing/base/rules';

export type Purchase = { productId: number; interval: SaleInterval; language: Language };

/** Where somebody buys a show, on the app's host: the only place that knows it. In the language of the page. */
export const buyPath = ({ productId, interval, language }: Purchase): string =>
  sitePathsIn(`/${language}`).registerPayment({ productId, interval });
