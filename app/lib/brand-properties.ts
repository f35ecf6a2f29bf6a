import type { CSSProperties } from 'react';
import type { PageBrand } from '~/server/domain/creators/rules';

/**
 * A creator's colours as properties of one element, where a part of a page has other colours than the page. Its style
 * sheet chooses between the accents: lines use the colour only if it contrasts with the ground.
 */
export function brandProperties(brand: PageBrand | null): CSSProperties | undefined {
  if (!brand) return undefined;
  const { button, text, contrasts } = brand;
  const properties = {
    '--action': button,
    '--on-action': text,
    '--light-accent': accentOf(button, contrasts.light),
    '--dark-accent': accentOf(button, contrasts.dark),
  };
  return properties as CSSProperties;
}

/** The colour of lines and icons on a ground. */
export const accentOf = (color: string, contrasts: boolean) => (contrasts ? color : 'var(--text)');
