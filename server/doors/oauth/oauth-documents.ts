import type { Context } from 'hono';
import { AUDIENCES, type Audience } from '~/db/values/apps';
import { OAUTH_AUTHORIZE_PATH } from '../../base/account-paths';
import { scopesOf } from '../../domain/apps/rules';
import type { App, AppEnv } from '../../http/app-env';
import { openToPages } from '../../http/open-to-pages';

/** Where an app gets tokens, registers itself and gives tokens back. */
export const OAUTH_PATHS = { token: '/oauth/token', register: '/oauth/register', revoke: '/oauth/revoke' } as const;

const HEADERS = { 'cache-control': 'public, max-age=300' };
const ALLOWED = 'GET, HEAD, OPTIONS';
const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const SERVER_PATH = '/.well-known/oauth-authorization-server';

/** Where the description of a door is, which names where its tokens come from (RFC 9728 §3.1). */
export const resourceDocumentUrl = (appUrl: string, audience: Audience): string =>
  `${appUrl}${RESOURCE_PATH}/${audience}`;

/** What apps read first: where tokens come from (RFC 8414), and what they are good for (RFC 9728). */
export function mountOauthDocuments(app: App, appUrl: string): void {
  const server = serverDocument(appUrl);
  mountDocument(app, SERVER_PATH, server);
  // apps that don't know where a resource is described ask for the one of the host
  mountDocument(app, RESOURCE_PATH, resourceDocument(appUrl, 'mcp'));
  for (const audience of AUDIENCES)
    mountDocument(app, `${RESOURCE_PATH}/${audience}`, resourceDocument(appUrl, audience));
}

function mountDocument(app: App, path: string, document: object): void {
  openToPages(app, path, ALLOWED);
  app.get(path, (c: Context<AppEnv>) =>
    c.get('requestContext').site.kind === 'app' ? c.json(document, 200, HEADERS) : c.text('Not found.', 404),
  );
  app.all(path, (c) => c.text('Method not allowed.', 405, { allow: ALLOWED }));
}

const serverDocument = (appUrl: string) => ({
  issuer: appUrl,
  authorization_endpoint: appUrl + OAUTH_AUTHORIZE_PATH,
  token_endpoint: appUrl + OAUTH_PATHS.token,
  registration_endpoint: appUrl + OAUTH_PATHS.register,
  revocation_endpoint: appUrl + OAUTH_PATHS.revoke,
  scopes_supported: scopesOf('v1'),
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

const resourceDocument = (appUrl: string, audience: Audience) => ({
  resource: `${appUrl}/${audience}`,
  resource_name: 'Altavoz',
  authorization_servers: [appUrl],
  scopes_supported: scopesOf(audience),
  bearer_methods_supported: ['header'],
});
