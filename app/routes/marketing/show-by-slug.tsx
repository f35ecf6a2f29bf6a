import { redirect } from '@remix-run/node';
import { notFound } from '~/app/features/site/site/not-found.server';
import { page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { prefixOf } from '~/app/lib/site-paths';
import { productPath } from '~/server/base/public-paths';

/** As slugs of shows are; the search of Discover takes at most 100 characters. */
const SLUG = /^(?=.{1,100}$)[a-z\d]+(?:-[a-z\d]+)*$/;

/**
 * `/podcast/:slug`: the page of the only show with this slug, which is on its creator's host. Slugs belong to creators,
 * so of several shows, visitors choose on Discover.
 */
export const loader = page(async ({ api, context, params: { slug }, url }) => {
  const { discover } = pathsFor(url);
  if (slug === undefined) throw redirect(discover);
  if (!SLUG.test(slug)) throw notFound();
  const search = slug.replaceAll('-', ' ');
  const { items } = await api.pages.discover({ search });
  const [show, ...others] = items.filter((item) => item.slug === slug);
  const language = prefixOf(url.pathname) ? context.language : null;
  if (show && others.length === 0)
    throw redirect(context.urls.creator(show.creator.domain, productPath(slug), language));
  throw redirect(`${discover}?${new URLSearchParams({ search })}`);
});

export default function ShowBySlug() {
  return null;
}
