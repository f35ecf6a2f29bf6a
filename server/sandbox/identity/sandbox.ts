import { Hono } from 'hono';
import { createCodes } from './codes';
import type { Fault, SandboxClient, SandboxContext } from './context';
import { mountFacebook } from './facebook';
import { mountGoogle } from './google';

export type SandboxOptions = {
  /** Public URL of the sandbox: `http://…/_sandbox/identity`. */
  baseUrl: string;
  clients: { google: SandboxClient; facebook: SandboxClient };
};

export type IdentitySandbox = {
  /** The pages and calls of both providers, below `/google` and `/facebook`. */
  app: Hono;
  /** The fault applies to all answers until it is set to null. */
  injectFault(fault: Fault | null): void;
};

/**
 * Opens a local Google and a local Facebook: their login pages, and their protocols. Every visitor can log in as any
 * person. Everything is kept in memory: a code lives for a minute, and a token for one call.
 */
export function openIdentitySandbox({ baseUrl, clients }: SandboxOptions): IdentitySandbox {
  let fault: Fault | null = null;
  const context: SandboxContext = { codes: createCodes(), fault: () => fault };
  const google = new Hono();
  mountGoogle(google, context, { ...clients.google, issuer: `${baseUrl}/google` });
  const facebook = new Hono();
  mountFacebook(facebook, context, clients.facebook);
  const base = new URL(baseUrl).pathname;
  const app = new Hono().basePath(base);
  app.route('/google', google);
  app.route('/facebook', facebook);
  return {
    app,
    injectFault: (next) => {
      fault = next;
    },
  };
}
