import type { ServerResponse } from 'node:http';
import { PATH_LIMITS } from '../limits/http';
import { noteRoute } from '../watching/observed-response';
import { UNMATCHED } from '../watching/request-counts';
import type { NodeHandler } from './listener';
import { NO_PAGE_HEADERS } from './security';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** A first segment with a backslash, which Remix reads as a slash: the path would begin with `//`. */
const BACKSLASH = /^\/[^/]*(?:\\|%5c)/i;

/** Dot segments: the host is decided by the written path, but the app resolves it. Clients resolve it before they send. */
const DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Answers what no door serves before a route is matched against it: 404 for paths that are too long, begin with a
 * backslash or have dot segments, 405 for methods such as TRACE. Remix matches each prefix of a path, so its time grows
 * with the square of the segments.
 */
export const refuseUnserved: NodeHandler = ({ url = '/', method = '' }, res) => {
  if (!METHODS.includes(method)) return refuseRequest(res, 405, { allow: METHODS.join(', ') });
  return isServed(url) ? false : refuseRequest(res, 404);
};

function isServed(url: string): boolean {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  if (path.length > PATH_LIMITS.length || BACKSLASH.test(path) || DOTS.test(path)) return false;
  return path.split('/').length - 1 <= PATH_LIMITS.segments;
}

function refuseRequest(res: ServerResponse, status: 404 | 405, headers: Record<string, string> = {}): true {
  noteRoute(res, UNMATCHED);
  res
    .writeHead(status, {
      ...NO_PAGE_HEADERS,
      ...headers,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    })
    .end(status === 404 ? 'Not found.' : 'Method not allowed.');
  return true;
}
