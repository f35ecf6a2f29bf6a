import type { Context } from 'hono';
import type { z } from 'zod';
import { AppError } from '../../base/errors';
import { translate } from '../../base/messages';
import { exchangeCode } from '../../domain/apps/exchange-code';
import { refreshTokens } from '../../domain/apps/refresh-tokens';
import { registerApp } from '../../domain/apps/register-app';
import { revokeToken } from '../../domain/apps/revoke-token';
import * as schema from '../../domain/apps/schema';
import type { IssuedTokens } from '../../domain/apps/tokens';
import type { LimitName } from '../../flow/rate-limits';
import { networkOf } from '../../flow/rate-limits';
import type { App, AppEnv } from '../../http/app-env';
import { openToPages } from '../../http/open-to-pages';
import { APP_LIMITS } from '../../limits/apps';
import type { Ctx } from '../../runtime/ctx';
import { type Runtime, systemCtx } from '../../runtime/runtime';
import { mountOauthDocuments, OAUTH_PATHS } from './oauth-documents';

/** Tokens are in these answers (RFC 6749 §5.1). */
const HEADERS = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** An error of RFC 6749 §5.2, RFC 7009 or RFC 7591. */
class OauthError extends Error {
  constructor(
    readonly code: string,
    readonly description: string,
    readonly status: 400 | 413 | 415 | 429 = 400,
    readonly retryAfter?: number,
  ) {
    super(code);
  }
}

/** The doors of OAuth 2.1 that apps call; people see the page of `app/routes/account/authorize.tsx`. */
export function oauthDoor(runtime: Runtime) {
  const ctx = systemCtx(runtime, 'oauth');
  return (app: App): void => {
    mountOauthDocuments(app, runtime.urls.settings.appUrl);
    mountCall(app, OAUTH_PATHS.register, async (c) => {
      const body = await readJson(c);
      await limit(runtime, c, 'registerApp');
      await limit(runtime, c, 'registerAppAll', 'everyone');
      return c.json(await register(ctx, body), 201, HEADERS);
    });
    mountCall(app, OAUTH_PATHS.token, async (c) => {
      const form = await readForm(c);
      const issued = await limitFailures(runtime, c, () => issue(ctx, form));
      return c.json(toAnswer(issued), 200, HEADERS);
    });
    mountCall(app, OAUTH_PATHS.revoke, async (c) => {
      const form = await readForm(c);
      await limitFailures(runtime, c, () => revokeToken(ctx, parse(schema.revokeToken, form)));
      return c.body(null, 200, HEADERS);
    });
  };
}

type Call = (c: Context<AppEnv>) => Promise<Response>;

const ALLOWED = 'POST, OPTIONS';

function mountCall(app: App, path: string, call: Call): void {
  openToPages(app, path, ALLOWED);
  app.post(path, async (c) => {
    if (c.get('requestContext').site.kind !== 'app') return c.text('Not found.', 404);
    try {
      return await call(c);
    } catch (error) {
      const { code, description, status, retryAfter } = toOauthError(error);
      const headers = { ...HEADERS, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
      return c.json({ error: code, error_description: description }, status, headers);
    }
  });
  app.all(path, (c) => c.text('Method not allowed.', 405, { allow: ALLOWED }));
}

/** @throws other errors, which are faults of ours */
function toOauthError(error: unknown): OauthError {
  if (error instanceof OauthError) return error;
  const [, code] = error instanceof AppError ? (/^app\.(invalid_\w+)$/.exec(error.code) ?? []) : [];
  if (code === undefined) throw error;
  // this text is for developers, and has no other characters than ASCII (RFC 6749 §5.2)
  return new OauthError(code, translate('en', `errors:app.${code}`));
}

async function limit(runtime: Runtime, c: Context<AppEnv>, name: LimitName, by?: string): Promise<void> {
  const exceeded = await runtime.rateLimits.consume(name, by ?? networkOf(c.get('requestContext').address));
  if (!exceeded) return;
  throw new OauthError('temporarily_unavailable', 'Too many requests.', 429, exceeded.retryAfterSeconds);
}

/** Counts the calls that fail. */
async function limitFailures<T>(runtime: Runtime, c: Context<AppEnv>, call: () => Promise<T> | T): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof OauthError || error instanceof AppError) await limit(runtime, c, 'appTokens');
    throw error;
  }
}

async function readText(c: Context<AppEnv>, type: RegExp): Promise<string> {
  if (!type.test(c.req.header('content-type') ?? ''))
    throw new OauthError('invalid_request', 'The content type is not supported.', 415);
  const text = await c.req.text();
  if (text.length > APP_LIMITS.body) throw new OauthError('invalid_request', 'The body is too large.', 413);
  return text;
}

async function readJson(c: Context<AppEnv>): Promise<unknown> {
  const text = await readText(c, /^application\/json\b/i);
  try {
    return JSON.parse(text);
  } catch {
    throw new OauthError('invalid_client_metadata', 'The body is not JSON.');
  }
}

/** The parameters of a form, without empty ones (RFC 6749 §3.2). One that comes twice is an error. */
async function readForm(c: Context<AppEnv>): Promise<Record<string, string>> {
  const text = await readText(c, /^application\/x-www-form-urlencoded\b/i);
  const given = [...new URLSearchParams(text)].filter(([, value]) => value !== '');
  if (new Set(given.map(([name]) => name)).size < given.length)
    throw new OauthError('invalid_request', 'A parameter is repeated.');
  return Object.fromEntries(given);
}

function parse<Schema extends z.ZodType>(expected: Schema, input: unknown): z.output<Schema> {
  const parsed = expected.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.path[0] === 'client_id') throw new OauthError('invalid_client', 'The app is unknown.');
  throw new OauthError('invalid_request', `Missing or malformed: ${String(issue?.path[0] ?? 'body').slice(0, 40)}.`);
}

function issue(ctx: Ctx, form: Record<string, string>): Promise<IssuedTokens> {
  if (form.grant_type === 'authorization_code') return exchangeCode(ctx, parse(schema.exchangeCode, form));
  if (form.grant_type === 'refresh_token') return refreshTokens(ctx, parse(schema.refreshTokens, form));
  const code = form.grant_type === undefined ? 'invalid_request' : 'unsupported_grant_type';
  throw new OauthError(code, 'Grant types: authorization_code, refresh_token.');
}

const toAnswer = ({ accessToken, refreshToken, expiresIn, scopes }: IssuedTokens) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: expiresIn,
  refresh_token: refreshToken,
  scope: scopes.join(' '),
});

/** RFC 7591 §3.2.1: what was registered, and what we replaced. */
async function register(ctx: Ctx, body: unknown) {
  const parsed = schema.registerApp.safeParse(body);
  if (!parsed.success) {
    const isUri = parsed.error.issues[0]?.path[0] === 'redirect_uris';
    const [code, field] = isUri
      ? ['invalid_redirect_uri', 'redirect_uris']
      : ['invalid_client_metadata', 'client_name'];
    throw new OauthError(code!, `Missing or malformed: ${field}.`);
  }
  const { clientId, name, redirectUris, createdAt } = await registerApp(ctx, parsed.data);
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
