import { useNonce } from '~/app/lib/nonce';
import type { PageBrand } from './page-data.server';

/**
 * Replaces the action colour with the creator's colours, only within this page's `.site`. The server chose a text
 * colour whose contrast with the button is at least 4.5:1. Lines and icons use the colour only if it contrasts with the
 * page.
 */
export function BrandStyle({ brand }: { brand: PageBrand | null }) {
  const nonce = useNonce();
  if (!brand || !isColor(brand.button) || !isColor(brand.text)) return null;
  const { light, dark } = brand.contrasts;
  const edge = (isVisible: boolean) => (isVisible ? brand.button : 'var(--text)');
  const rules = `.site{--action:${brand.button};--on-action:${brand.text};--accent:${edge(light)}}@media(prefers-color-scheme:dark){.site{--accent:${edge(dark)}}}`;
  // safe: the server has checked that both colours are hex values
  return <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: rules }} />;
}

const isColor = (value: string) => /^#[0-9a-f]{6}$/i.test(value);
