/** The reason of a report; `terms`: another violation of the terms. */
export const REPORT_REASONS = ['copyright', 'person', 'hate', 'violence', 'minors', 'fraud', 'terms', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** `upheld`: the reported content was taken down. */
export const REPORT_STATES = ['open', 'dismissed', 'upheld'] as const;
export type ReportState = (typeof REPORT_STATES)[number];
