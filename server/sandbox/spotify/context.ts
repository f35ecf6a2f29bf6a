import type { SandboxStore } from './store';

/** The app that Spotify has allow-listed. */
export type SandboxClient = {
  clientId: string;
  clientSecret: string;
  partnerId: string;
  deliveryToken: string;
  redirectUri: string;
};

/** `away`: no answer, as if the connection failed. `retryAfter`: seconds, with 429. */
export type Fault = { status: number; retryAfter?: number } | 'away';

export type SandboxAccount = { id: string; name: string };

export type SandboxContext = {
  baseUrl: string;
  client: SandboxClient;
  store: SandboxStore;
  /** The fault of a call such as `register-user` or `rss-feeds`; null if it works. */
  faultOf(call: string): Fault | null;
};
