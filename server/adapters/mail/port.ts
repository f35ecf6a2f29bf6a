/** One mail, rendered. `id` becomes its Message-ID, so that a second attempt is the same mail. */
export type Mail = {
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  headers?: Record<string, string>;
};

/** Hands mail to whatever delivers it. Throws when that refuses or can't be reached: the caller tries again. */
export type MailPort = { send(mail: Mail): Promise<void>; close(): void };
