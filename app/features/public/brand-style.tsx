import { useNonce } from '~/app/lib/nonce';
import { contrast } from '~/server/domain/creators/rules';

type Brand = { button: string; text: string };

const BACKGROUNDS = { light: '#fbfaf8', dark: '#15131d' };
const MIN_CONTRAST = 3;

/**
 * Replaces the action colour with the creator's colours, only below `.site` of this page. The server chose a text colour
 * with a contrast of at least 4.5:1 on the button. Lines and icons use the colour only if it contrasts with the page.
 */
export function BrandStyle({ brand }: { brand: Brand | null }) {
  const nonce = useNonce();
  if (!brand || !isColor(brand.button) || !isColor(brand.text)) return null;
  const edge = (ground: string) => (contrast(brand.button, ground) >= MIN_CONTRAST ? brand.button : 'var(--text)');
  const rules = `.site{--action:${brand.button};--on-action:${brand.text};--accent:${edge(BACKGROUNDS.light)}}@media(prefers-color-scheme:dark){.site{--accent:${edge(BACKGROUNDS.dark)}}}`;
  // safe: both colours were checked to be hex values
  return <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: rules }} />;
}

const isColor = (value: string) => /^#[0-9a-f]{6}$/i.test(value);
