import { entriesOf } from '../../content/library';
import type { Ctx } from '../../runtime/ctx';
import type { FindText } from './schema';
import { addressesOf, findTranslated } from './site-texts';

/** The hosts whose creators find the steps of a move here, in the visitor's language. */
export async function listHostGuides(ctx: Ctx) {
  const guides = entriesOf(await ctx.content.library(), 'hosts', ctx.language);
  return guides
    .map(({ slug, data: { name, description, order } }) => ({ slug, name, description, order }))
    .sort((a, b) => a.order - b.order || a.name.localeCompare(b.name, ctx.language));
}

/** The steps of a move from a host, by the slug in any language. @throws not_found */
export async function findHostGuide(ctx: Ctx, { slug }: FindText) {
  const library = await ctx.content.library();
  const { shown } = await findTranslated(ctx, slug, (language) => entriesOf(library, 'hosts', language));
  const { html, language, data } = shown;
  const { title, description, name, checked, sources } = data;
  const addresses = addressesOf(library, shown);
  return { slug: shown.slug, title, description, name, checked, sources, html, language, addresses };
}
