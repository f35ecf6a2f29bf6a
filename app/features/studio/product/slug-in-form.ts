import type { FormValues } from '~/app/lib/check-form';
import { isSlug, slugFrom } from '~/server/base/fields';
import { PRODUCT_LIMITS } from '~/server/limits/products';

/** The slug that a form means: what was typed, else the current one, else the one that the name makes. */
export function slugInForm(values: FormValues, current?: string): string {
  const typed = values.slug?.trim().toLowerCase();
  return typed || (current ?? slugFrom(values.name ?? '', PRODUCT_LIMITS.slugLength));
}

/** An address with it. A slug that can't be stored makes none. */
export const addressWith = (base: string, slug: string): string => `${base}${slug === '' || isSlug(slug) ? slug : '…'}`;
