import { escapeHtml } from '../../base/html';
import { entriesOf } from '../../content/library';
import { fillPlaceholders } from '../../content/placeholders';
import type { Ctx } from '../../runtime/ctx';
import type { FindLegalText } from './schema';
import { addressesOf, findTranslated } from './site-texts';

/**
 * A legal text with the operator's details from the settings. `missing`: details that it names, and that are not set.
 * @throws not_found
 */
export async function findLegalText(ctx: Ctx, { name }: FindLegalText) {
  const library = await ctx.content.library();
  const { shown } = await findTranslated(ctx, name, (language) =>
    entriesOf(library, 'legal', language).filter(({ id }) => id === name),
  );
  const { language, data, html, headings } = shown;
  const { operator, processors } = ctx.settings;
  const t = (key: string, params = {}) => ctx.translate(`content:legal.${key}`, params, language);
  const named = processors.map(({ kind, name: service }) => t(`processor.${kind}`, { service }));
  const values = {
    operator,
    processors: named.length > 0 ? named : [t('processor.none')],
    language,
    notGiven: t('notGiven'),
  };
  const { filled, missing } = fillPlaceholders(html, values, htmlOf);
  return {
    ...data,
    language,
    html: filled,
    missing,
    headings: headings.map(({ id, text }) => ({ id, text: fillPlaceholders(text, values, String).filled })),
    addresses: addressesOf(library, shown),
  };
}

function htmlOf(value: string, name: string): string {
  const text = escapeHtml(value);
  return name === 'email' ? `<a href="mailto:${text}">${text}</a>` : text;
}
