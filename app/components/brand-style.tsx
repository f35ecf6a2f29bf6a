import { accentOf } from '~/app/lib/brand-properties';
import { useNonce } from '~/app/lib/nonce';
import type { PageBrand } from '~/server/domain/creators/rules';

/**
 * Replaces the action colour with the creator's colours, within this page's `.site` and the player below it, so that a
 * page has one accent. The server chose a text colour whose contrast with the button is at least 4.5:1. Lines and icons
 * use the colour only if it contrasts with the page.
 */
export function BrandStyle({ brand }: { brand: PageBrand | null }) {
  const nonce = useNonce();
  if (!brand || !isColor(brand.button) || !isColor(brand.text)) return null;
  const { light, dark } = brand.contrasts;
  const rules = `.site,.player{--action:${brand.button};--on-action:${brand.text};--accent:${accentOf(brand.button, light)}}@media(prefers-color-scheme:dark){.site,.player{--accent:${accentOf(brand.button, dark)}}}`;
  // safe: the server has checked that both colours are hex values
  return <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: rules }} />;
}

const isColor = (value: string) => /^#[0-9a-f]{6}$/i.test(value);
