import type { FormValues } from '~/app/lib/check-form';
import { isSlug, slugFrom } from '~/server/base/addresses';
import { PRODUCT_LIMITS } from '~/server/limits/products';

/** The form's slug: the typed one, or the current one, or a slug made from the name. */
export function slugInForm(values: FormValues, current?: string): string {
  const typed = values.slug?.trim().toLowerCase();
  return typed || (current ?? slugFrom(values.name ?? '', PRODUCT_LIMITS.slugLength));
}

/** The show's address with a slug, or with `…` if the slug is invalid. */
export const addressWith = (base: string, slug: string): string => `${base}${slug === '' || isSlug(slug) ? slug : '…'}`;
