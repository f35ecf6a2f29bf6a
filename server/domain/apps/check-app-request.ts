import type { Scope } from '~/db/values/api-scopes';
import type { Audience } from '~/db/values/apps';
import type { Ctx } from '../../runtime/ctx';
import {
  challengeRequired,
  noScopes,
  redirectMismatch,
  requestNotSupported,
  unknownApp,
  unknownResource,
} from './errors';
import { type AppRow, lookupApp } from './queries';
import { audienceOf, isChallenge, matchesRedirect, requestedScopes } from './rules';
import type { AppRequest } from './schema';

/** A request for consent that may be answered. */
export type CheckedRequest = {
  app: AppRow;
  redirectUri: string;
  challenge: string;
  audience: Audience;
  scopes: Scope[];
  state: string | undefined;
};

/**
 * Checks the request of an app. Faults are shown on our page and never sent to the app's address: anyone may register an
 * address, so a redirect without a person's decision would be an open one.
 * @throws app.unknown, app.redirect_mismatch, app.request_not_supported, app.challenge_required, app.unknown_resource,
 * app.no_scopes
 */
export async function checkAppRequest(ctx: Ctx, input: AppRequest): Promise<CheckedRequest> {
  const app = input.client_id === undefined ? null : await lookupApp(ctx, input.client_id);
  if (!app) throw unknownApp();
  const { redirect_uri: redirectUri, code_challenge: challenge, code_challenge_method: method, state } = input;
  if (redirectUri === undefined || !app.redirectUris.some((registered) => matchesRedirect(registered, redirectUri)))
    throw redirectMismatch();
  if (input.response_type !== 'code') throw requestNotSupported();
  if (!isChallenge(challenge, method)) throw challengeRequired();
  const audience = audienceOf(input.resource, ctx.urls.settings.appUrl);
  if (!audience) throw unknownResource();
  const scopes = requestedScopes(input.scope, audience);
  if (scopes.length === 0) throw noScopes();
  return { app, redirectUri, challenge, audience, scopes, state };
}
