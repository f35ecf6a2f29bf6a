import { DOMAIN_LIMITS } from '../../limits/creators';

/** The four domains of spec §5, and names that we may need for hosts of our own. */
const RESERVED = new Set(
  (
    'app dev-app staging staging-app www api admin mail cdn static feeds media help status login pay embed ' +
    'account accounts assets audio auth billing blog calendar careers contact dashboard demo dev discover docs ' +
    'download email events faq feed files forum ftp go health home images imap img inbox info jobs legal live local ' +
    'localhost m me metrics mobile mx my news ns ns1 ns2 open play player podcast podcasts pop press preview pricing ' +
    'privacy public register root rss search secure security shop site smtp spotify ssl store stats studio support ' +
    'team terms test trpc uploads web webhooks webmail wiki'
  ).split(' '),
);

export type DomainFault = 'creator.domain_invalid' | 'creator.domain_reserved';

/** Why a domain can't be claimed; null if its format is valid: 3 to 30 of `a-z 0-9 -`. */
export function domainFault(domain: string): DomainFault | null {
  const { min, max } = DOMAIN_LIMITS;
  if (domain.length < min || domain.length > max) return 'creator.domain_invalid';
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])$/.test(domain) || domain.startsWith('staging-')) {
    return RESERVED.has(domain) ? 'creator.domain_reserved' : 'creator.domain_invalid';
  }
  return RESERVED.has(domain) ? 'creator.domain_reserved' : null;
}

/** The fields of each page of the editor, which saves no others. Every field is on one page. */
export const PAGE_FIELDS = {
  profile: ['name', 'domain', 'timeZone', 'username'],
  look: ['avatarKey', 'buttonColor', 'textColor'],
  sections: ['aboutTitle', 'aboutText', 'ctaTitle', 'ctaText', 'ctaButton', 'ctaUrl'],
  links: ['testimonials', 'links'],
  support: ['showNewsletter', 'acceptsDonations', 'donationText'],
} as const;
export type PagePart = keyof typeof PAGE_FIELDS;
export const PAGE_PARTS = Object.keys(PAGE_FIELDS) as PagePart[];
/** The fields that can't be empty. A page of the editor has only some of them. */
export const PAGE_REQUIRED = ['name', 'domain'] as const;

/** Whether people can donate to a creator: the creator wants it, and the installation takes payments. */
export const takesDonations = (
  { acceptsDonations }: { acceptsDonations: boolean },
  { takesPayments }: { takesPayments: boolean },
): boolean => acceptsDonations && takesPayments;

const channel = (hex: string, at: number) => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

/** WCAG's relative luminance of `#rrggbb`. */
function luminance(color: string): number {
  const hex = color.slice(1);
  return 0.2126 * channel(hex, 0) + 0.7152 * channel(hex, 2) + 0.0722 * channel(hex, 4);
}

/** WCAG's contrast ratio of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const READABLE = 4.5;
const INK = '#15131D';
const WHITE = '#FFFFFF';
/** Used for the few greys on which neither ink nor white is readable. */
const BLACK = '#000000';

/** A creator's colours: `text` is readable on `button`. */
export type Brand = { button: string; text: string };
type BrandColumns = { buttonColor: string | null; textColor: string | null };

/** Null without colours of their own. */
export function brandOf({ buttonColor, textColor }: BrandColumns): Brand | null {
  return buttonColor ? { button: buttonColor, text: readableOn(buttonColor, textColor) } : null;
}

/** A creator's colours, and whether lines in the button colour are visible on the page in each colour scheme. */
export type PageBrand = Brand & { contrasts: { light: boolean; dark: boolean } };

/** The page and the surfaces on it, such as the player. */
const GROUNDS = { light: ['#fbfaf8', '#ffffff'], dark: ['#15131d', '#262331'] };
const MIN_CONTRAST = 3;

export const pageBrandOf = (creator: BrandColumns): PageBrand | null => {
  const brand = brandOf(creator);
  return brand && toPageBrand(brand);
};

export function toPageBrand({ button, text }: Brand): PageBrand {
  const isVisible = (grounds: string[]) => grounds.every((ground) => contrast(button, ground) >= MIN_CONTRAST);
  return { button, text, contrasts: { light: isVisible(GROUNDS.light), dark: isVisible(GROUNDS.dark) } };
}

/** A text colour with a contrast of at least 4.5:1: the preferred colour, otherwise ink or white. */
export function readableOn(background: string, preferred?: string | null): string {
  if (preferred && contrast(background, preferred) >= READABLE) return preferred;
  const better = contrast(background, WHITE) >= contrast(background, INK) ? WHITE : INK;
  return contrast(background, better) >= READABLE ? better : BLACK;
}
