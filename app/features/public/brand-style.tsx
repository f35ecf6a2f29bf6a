import { useNonce } from '~/app/lib/nonce';
import { contrast } from '~/server/domain/creators/rules';

type Brand = { button: string; text: string };

const BACKGROUNDS = { light: '#fbfaf8', dark: '#15131d' };
const MIN_CONTRAST = 3;

/**
 * The creator's colours in place of the action colour, below `.site` of this page only. The server chose a text that can
 * be read on the button (≥ 4.5:1); as a line or a picture the colour is used only where it stands out from the page.
 */
export function BrandStyle({ brand }: { brand: Brand | null }) {
  const nonce = useNonce();
  if (!brand || !isColor(brand.button) || !isColor(brand.text)) return null;
  const edge = (ground: string) => (contrast(brand.button, ground) >= MIN_CONTRAST ? brand.button : 'var(--text)');
  const rules = `.site{--action:${brand.button};--on-action:${brand.text};--accent:${edge(BACKGROUNDS.light)}}@media(prefers-color-scheme:dark){.site{--accent:${edge(BACKGROUNDS.dark)}}}`;
  // two colours whose form was checked: nothing else gets in
  return <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: rules }} />;
}

const isColor = (value: string) => /^#[0-9a-f]{6}$/i.test(value);
