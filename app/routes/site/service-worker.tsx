import type { LoaderFunctionArgs } from '@remix-run/node';
import removal from '~/app/service-worker/removal?script';
import worker from '~/app/service-worker/worker?script';

/**
 * The service worker of this host, for all of its pages. A worker's own content security policy decides which requests
 * it may make, so it differs from the policy of other files.
 */
export function loader({ context }: LoaderFunctionArgs): Response {
  return new Response(context.settings.servesWorker ? worker : removal, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    },
  });
}
