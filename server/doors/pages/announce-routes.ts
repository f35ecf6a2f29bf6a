import type { RequestHandler } from '@remix-run/node';

type HandlerFor = (pathname: string) => Promise<RequestHandler>;

/** In characters. Remix answers 400 to longer URLs. */
const LONGEST_URL = 7680;

/**
 * Answers which routes the links of a page lead to (`?p=/login&p=/p/lullabies`). Remix would try every route for each
 * link; the handler for a link's own path knows few of them.
 */
export function announceRoutes(handlerFor: HandlerFor): RequestHandler {
  return async (request, context) => {
    const url = new URL(request.url);
    const paths = url.searchParams.getAll('p');
    if (paths.length === 0 || url.href.length > LONGEST_URL) return (await handlerFor('/'))(request, context);
    const groups = await groupByHandler(paths, handlerFor);
    const asked = [...groups].map(([handler, paths]) => handler(new Request(withPaths(url, paths)), context));
    const answers = await Promise.all(asked);
    const [first = Response.error()] = answers;
    // a page of an older build must reload
    if (first.status !== 200) return first;
    const routes = await Promise.all(answers.map((answer) => answer.json()));
    return new Response(JSON.stringify(Object.assign({}, ...routes)), first);
  };
}

async function groupByHandler(paths: string[], handlerFor: HandlerFor) {
  const handlers = await Promise.all(paths.map((path) => handlerFor(path.startsWith('/') ? path : `/${path}`)));
  const groups = new Map<RequestHandler, string[]>();
  for (const [i, path] of paths.entries()) {
    const handler = handlers[i]!;
    const group = groups.get(handler);
    if (group) group.push(path);
    else groups.set(handler, [path]);
  }
  return groups;
}

function withPaths(url: URL, paths: string[]): URL {
  const only = new URL(url);
  only.searchParams.delete('p');
  for (const path of paths) only.searchParams.append('p', path);
  return only;
}
