import { entriesOf } from '../../content/library';
import type { Ctx } from '../../runtime/ctx';
import { type HelpArticle, inOrder, relatedHelp } from './rules';
import type { FindText, ListHelp } from './schema';
import { searchTexts } from './search-texts';
import { addressesOf, findTranslated } from './site-texts';

export type HelpCard = Pick<HelpArticle, 'id' | 'slug'> &
  Pick<HelpArticle['data'], 'title' | 'description' | 'audience'>;

/**
 * The articles in the visitor's language in their order, or with a search the best first. None if the operator has a
 * help centre elsewhere.
 */
export async function listHelp(ctx: Ctx, { search, audience }: ListHelp): Promise<HelpCard[]> {
  if (ctx.settings.helpUrl) return [];
  const all = await articlesOf(ctx);
  const wanted = audience ? all.filter(({ data }) => data.audience === audience) : all;
  const words = search?.trim();
  const found = words ? await searchTexts(ctx, wanted, words) : wanted;
  return found.map(toCard);
}

/**
 * An article by its slug in any language or by the name of its file, which screens link to; in the visitor's language
 * if it is translated. @throws not_found
 */
export async function findHelp(ctx: Ctx, { slug }: FindText) {
  const library = await ctx.content.library();
  const { shown } = await findTranslated(ctx, slug, (language) => entriesOf(library, 'help', language));
  const { html, language } = shown;
  const related = relatedHelp(shown, await articlesOf(ctx)).map(toCard);
  return { ...toCard(shown), html, language, related, addresses: addressesOf(library, shown) };
}

const articlesOf = async (ctx: Ctx): Promise<HelpArticle[]> =>
  inOrder(entriesOf(await ctx.content.library(), 'help', ctx.language));

function toCard({ id, slug, data: { title, description, audience } }: HelpArticle): HelpCard {
  return { id, slug, title, description, audience };
}
