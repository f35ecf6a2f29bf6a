/** A name and an address; the name may be empty. */
export type Mailbox = { name: string; address: string };

/** What all recipients of an edition have in common. `subject`, `text` and `html` may contain merge fields. */
export type Edition = {
  from: Mailbox;
  replyTo?: Mailbox;
  /** Envelope sender, to which servers return bounces. A recipient may have one of their own. */
  returnPath: string;
  /** RFC 2919: `{ name: 'The show', id: 'the-show.lists.altavoz.example' }` */
  list: { name: string; id: string };
  /** `edition:creator:type:sender`, by which Gmail counts complaints. */
  feedbackId: string;
  date: Date;
  /** An email that an event has caused, such as a welcome, must not be answered automatically (RFC 3834). */
  isAutomatic?: boolean;
  subject: string;
  text: string;
  /** Values are escaped for content and quoted attributes. */
  html: string;
  /** Names that are replaced; `{{other}}` stays as it is. */
  fields: readonly string[];
  /** Another header with the part of the Message-ID before the @, for a provider that replaces the Message-ID. */
  idHeader?: string | null;
};

export type EditionRecipient = {
  /** Returned with the result. */
  id: string;
  to: Mailbox;
  returnPath?: string;
  /** `id@domain`, without angle brackets: the same for each attempt. */
  messageId: string;
  /** RFC 8058 and 2369. */
  unsubscribe: { url: string; mailto?: string };
  values: Readonly<Record<string, string>>;
};

/** An email in its envelope. `bytes` has the whole message (RFC 5322). */
export type BulkMessage = { id: string; from: string; to: string; bytes: () => Buffer | Promise<Buffer> };

/**
 * - `sent`: the server has accepted the email
 * - `deferred`: it has rejected it for now (4xx)
 * - `bounced`: it has rejected it for good (5xx), or the email can't be sent to this server at all
 * - `unsent`: the end of the email has not been sent, so that it may be repeated at once
 * - `unknown`: the whole email was sent, and no answer came: repeating it may deliver it twice
 */
export type BulkResult = {
  id: string;
  state: 'sent' | 'deferred' | 'bounced' | 'unsent' | 'unknown';
  code?: number;
  /** Enhanced status code (RFC 3463): `5.1.1`. */
  status?: string;
  /** The server's words, or the reason of a lost connection. */
  text?: string;
  /** With `bounced`: the address does not exist, rather than that this email is unwelcome. */
  isHard?: boolean;
  /** With `unsent`: the receiving domain is slowed down for so long. */
  retryInMs?: number;
};

export type BulkSender = {
  /**
   * Resolves when each message has had its result; rejects if `onResults` does. Results come in batches, and the next
   * batch waits for the former one.
   */
  send(messages: BulkMessage[], onResults: (results: BulkResult[]) => void | Promise<void>): Promise<void>;
  /** Waits for answers about what is sent already; all else is `unsent`. */
  close(): Promise<void>;
};
