import { type AppLoadContext, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { type Embedded, renderEmbed, renderMissing } from '~/app/features/site/embed/render-embed.server';

/** The player for frames of other sites: a document of its own, without the site's scripts and styles. */
export async function loader({ context, params, request }: LoaderFunctionArgs): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  // other sites may frame the player at this one URL only
  if (pathname.endsWith('/')) return redirect(pathname.replace(/^\/+/, '/').replace(/\/+$/, '') + search, 301);
  const theme = searchParams.get('theme');
  const found = await find(context.api, params).catch((error: unknown) => {
    const { status, message } = context.describeError(error);
    if (status >= 500) throw error;
    return { status: 404, message };
  });
  return 'status' in found ? renderMissing(context, theme, found.message) : renderEmbed(context, theme, found);
}

async function find(
  api: AppLoadContext['api'],
  { episodeId, productId }: LoaderFunctionArgs['params'],
): Promise<Embedded> {
  if (productId !== undefined) return { type: 'product', ...(await api.pages.embeddedProduct({ id: productId })) };
  return { type: 'episode', ...(await api.pages.embeddedEpisode({ id: episodeId ?? '' })) };
}
