import { sitePathsIn } from '~/app/lib/site-paths';
import type { Language } from '~/locales/languages';
import type { SaleInterval } from '~/server/domain/billing/base/rules';

export type Purchase = { productId: number; interval: SaleInterval; language: Language };

/**
 * The page that sells a show, on the app's host and in the language of the current page. Only this file knows that
 * path.
 */
export const buyPath = ({ productId, interval, language }: Purchase): string =>
  sitePathsIn(`/${language}`).registerPayment({ productId, interval });
