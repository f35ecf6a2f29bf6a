/** A person's account at Spotify. */
export type SpotifyAccount = { id: string; name: string | null };

/** What Spotify knows of one of our users. `entitlements`: the names in the feeds of the shows that they may hear. */
export type Entitled = { partnerUserId: string; entitlements: string[] };

/** Spotify Open Access: accounts of listeners, and what they may hear. Every call throws SpotifyRejected or SpotifyAway (base/errors.ts). */
export type OpenAccess = {
  partnerId: string;
  /** Whether feeds say that only testers see their shows. */
  isTest: boolean;
  /** Spotify's page on which a person agrees to the link. */
  authorizeUrl(attempt: { state: string; redirectUri: string }): string;
  /** Exchanges the code of Spotify's answer, once. */
  identify(answer: { code: string; redirectUri: string }): Promise<{ token: string; account: SpotifyAccount }>;
  /** Links the account of the token. @returns the page at Spotify that completes the link */
  registerUser(token: string, user: Entitled): Promise<{ completionUrl: string }>;
  listEntitlements(partnerUserId: string): Promise<string[]>;
  replaceEntitlements(user: Entitled): Promise<void>;
  unlinkUser(partnerUserId: string): Promise<void>;
};

/** What Spotify says about a feed: `status` and `text` as they came, which are not documented. */
export type Ingestion = { uri: string; status: string; text: string; problems: string[] };

/** Spotify's Podcast Delivery API, for partners. Every call throws SpotifyRejected or SpotifyAway (base/errors.ts). */
export type SpotifyDelivery = {
  /** Submits a feed. A feed that Spotify knows already keeps its show. @returns the show's URI */
  submit(feed: { name: string; url: string }): Promise<string>;
  status(uri: string): Promise<Ingestion>;
  remove(uri: string): Promise<void>;
};

export type SpotifyPort = {
  /** Null without a contract. */
  openAccess: OpenAccess | null;
  /** Null without a token for deliveries: creators submit their feeds by hand. */
  delivery: SpotifyDelivery | null;
};
