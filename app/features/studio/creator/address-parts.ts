const PLACEHOLDER = 'your-name';

/** The parts of a creator page's URL around the domain: `http://` and `.altavoz.example`. */
export function addressParts(urls: { creator(domain: string): string }): { before: string; after: string } {
  const [before = '', after = ''] = urls.creator(PLACEHOLDER).replace(/\/$/, '').split(PLACEHOLDER);
  return { before, after };
}
