import type { App } from '../http/app';
import type { World } from '../world';
import { corsHeaders, preflightHeaders } from './cors';
import { answerCall } from './handle';
import { matchCall } from './match';

const ALWAYS = {
  'cache-control': 'private, no-store',
  vary: 'Accept-Language, Authorization, Origin',
  // nothing here is a page: whatever a browser is tricked into showing runs nothing
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Mounts `/api/*`, the legacy REST API. @param origins of pages that may call it from their browsers */
export function restDoor(world: World, origins: readonly string[]) {
  return (app: App): void => {
    app.options('/api/*', (c) => {
      const match = matchCall('OPTIONS', c.req.path.replace(/^\/api\//, ''));
      const allow: Record<string, string> = match && !match.call ? { allow: match.allow } : {};
      const headers = { ...allow, ...preflightHeaders(c.req.header('origin') ?? null, origins), vary: 'Origin' };
      return new Response(null, { status: 204, headers });
    });
    app.all('/api/*', async (c) => {
      const facts = c.get('facts');
      const answer = await answerCall(world, c.req.raw, facts);
      const headers = { ...ALWAYS, ...corsHeaders(c.req.header('origin') ?? null, origins) };
      for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
      const type = answer.headers.get('content-type');
      if (type?.startsWith('application/json')) answer.headers.set('content-type', 'application/json; charset=utf-8');
      answer.headers.set('x-request-id', facts.requestId);
      return answer;
    });
  };
}
