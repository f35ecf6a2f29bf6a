/**
 * The topics of emails that users may turn off, in the order of the settings. Emails about other topics are necessary:
 * links that the user has requested, and reports of changes to the account. A new optional email only needs its topic
 * here and in the texts: `queueEmail` respects the choice for every sender.
 */
export const OPTIONAL_TOPICS = [
  'new_episode',
  'new_device',
  'donation_received',
  'new_buyer',
  'month_report',
  'recommendation',
  'transcription',
] as const;
export type OptionalTopic = (typeof OPTIONAL_TOPICS)[number];

/**
 * The topics of emails in a creator's name that many people get at once: the sender of newsletters sends them, from the
 * creator's address (docs/decisions/0355).
 */
export const BULK_TOPICS: readonly string[] = ['new_episode', 'newsletter_welcome'];

export const isOptionalTopic = (topic: string): topic is OptionalTopic =>
  (OPTIONAL_TOPICS as readonly string[]).includes(topic);
