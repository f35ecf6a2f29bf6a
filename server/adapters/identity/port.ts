/** Services whose accounts can log in here. */
export type ProviderName = 'google' | 'facebook';

/** A person's identity as the provider states it. */
export type ProvenIdentity = {
  provider: ProviderName;
  /** The person's id at the provider, which never changes. */
  subject: string;
  /** In lower case; null if the person has no address or did not share it. */
  email: string | null;
  /** Whether the provider vouches that the address belongs to the person. */
  isEmailVerified: boolean;
  name: string | null;
};

/** The secrets of one log-in, which tie the provider's answer to it. */
export type LoginSecrets = { state: string; nonce: string; codeVerifier: string };
export type LoginAttempt = LoginSecrets & { redirectUri: string };

/** Identifies people by their account at another service (OAuth 2, OpenID Connect). */
export type IdentityPort = {
  /** The providers that are set up. */
  providers: readonly ProviderName[];
  /** The provider's page on which the person agrees. @throws identity.unavailable */
  authorizationUrl(provider: ProviderName, attempt: LoginAttempt & { language: string }): Promise<string>;
  /**
   * Exchanges the provider's answer, the query of its redirect, for the person's identity.
   * @throws identity.denied, identity.rejected, identity.unavailable
   */
  identify(provider: ProviderName, answer: URLSearchParams, attempt: LoginAttempt): Promise<ProvenIdentity>;
};

/** One provider: the operations of the port without its name. */
export type Provider = {
  authorizationUrl(attempt: LoginAttempt & { language: string }): Promise<URL>;
  identify(answer: URLSearchParams, attempt: LoginAttempt): Promise<Omit<ProvenIdentity, 'provider'>>;
};
