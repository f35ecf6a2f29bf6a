/** What enrols a contact in an automation: the newsletter's form, a payment for a show, or the end of a subscription. */
export const AUTOMATION_TRIGGERS = ['sign_up', 'purchase', 'cancellation'] as const;
export type AutomationTrigger = (typeof AUTOMATION_TRIGGERS)[number];

/**
 * Why an email of a step was not sent: the contact has left the list, what has enrolled them no longer holds, the
 * automation was switched off, the email is days late, or the plan has no more emails in this month.
 */
export const SKIP_REASONS = ['left', 'ended', 'off', 'late', 'limit'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
