/** A rendered email. `id` becomes its Message-ID, so that a retry is the same message. */
export type Mail = {
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  headers?: Record<string, string>;
};

/**
 * Passes emails to a delivery service. Throws if the service rejects an email or is unreachable; the caller retries.
 * `domain`: of our senders' addresses. `bounceAddress`: where bounces, reports and emails to unsubscribe arrive; null if
 * nobody reads them.
 */
export type MailPort = {
  send(mail: Mail): Promise<void>;
  /** Connects and logs in, without sending anything. @throws the reason why emails can't be sent */
  check(): Promise<void>;
  domain: string;
  bounceAddress: string | null;
  close(): Promise<void>;
};
