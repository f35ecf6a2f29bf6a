/**
 * The topics of emails that users may turn off, in the order of the settings. Emails about other topics are necessary:
 * links that the user has requested, and reports of changes to the account. A new optional email only needs its topic
 * here and in the texts: `queueEmail` respects the choice for every sender.
 */
export const OPTIONAL_TOPICS = ['new_episode', 'new_device', 'donation_received', 'new_buyer', 'month_report'] as const;
export type OptionalTopic = (typeof OPTIONAL_TOPICS)[number];

export const isOptionalTopic = (topic: string): topic is OptionalTopic =>
  (OPTIONAL_TOPICS as readonly string[]).includes(topic);
