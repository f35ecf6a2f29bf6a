/**
 * A webhook endpoint that we have set up. `events`: of our own account, or of connected accounts. `differs`: what is not
 * as this release needs it; `version` cannot be changed, so such an endpoint is replaced.
 */
export type WebhookEndpoint = {
  id: string;
  url: string;
  events: EndpointEvents;
  differs: ('version' | 'types' | 'url' | 'disabled')[];
};
export type EndpointEvents = 'own' | 'connected';

/** The operator's account at the provider, as far as the API shows it. */
export type OwnAccount = {
  isLive: boolean;
  country: string | null;
  currency: string | null;
  chargesEnabled: boolean;
  payoutsEnabled: boolean;
  missing: string[];
  /** The start of each card statement; null if its owner has set none. */
  statementPrefix: string | null;
  payoutInterval: string | null;
  balanceCurrencies: string[];
  isTaxActive: boolean;
  isUnpaidInUse: boolean;
  /** When the provider last ended a subscription because a renewal failed: we end them ourselves. */
  lastEndedOverdue: Date | null;
};

/**
 * `ours`: set up by us, at our address or the former one. `elsewhere`: set up by us for another address, probably of
 * another installation that shares the account. `unknown`: ids of those at our address that someone else has made.
 */
export type Endpoints = { ours: WebhookEndpoint[]; elsewhere: WebhookEndpoint[]; unknown: string[] };

/** What the operator's first day needs; listeners and creators never cause these calls. */
export type SetupOperations = {
  /** @param urls our address, and the former one after a move */
  listEndpoints(urls: { url: string; former?: string }): Promise<Endpoints>;
  /** @returns with the secret, which the provider shows only once */
  createEndpoint(input: { url: string; events: EndpointEvents }): Promise<WebhookEndpoint & { secret: string }>;
  updateEndpoint(endpoint: WebhookEndpoint, url: string): Promise<void>;
  removeEndpoint(id: string): Promise<void>;
  ownAccount(): Promise<OwnAccount>;
};
