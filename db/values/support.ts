/** What a report says that is wrong; `terms`: against the terms in another way. */
export const REPORT_REASONS = ['copyright', 'person', 'hate', 'violence', 'minors', 'fraud', 'terms', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** `upheld`: what it is about was taken down. */
export const REPORT_STATES = ['open', 'dismissed', 'upheld'] as const;
export type ReportState = (typeof REPORT_STATES)[number];
