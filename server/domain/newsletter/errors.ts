import { defineError } from '../../base/errors';

/** Spec §9: 'Newsletter settings are not defined.' */
export const settingsNotDefined = defineError('newsletter.settings_not_defined', 'conflict');
export const ownNewsletter = defineError('newsletter.own_newsletter', 'invalid');
/** Its creator has no public newsletter, or refuses to be recommended. */
export const newsletterNotRecommendable = defineError('newsletter.not_recommendable', 'conflict');
export const tooManyRecommendations = defineError('newsletter.too_many_recommendations', 'conflict');
export const editionNotFound = defineError('newsletter.edition_not_found', 'not_found');
export const editionChanged = defineError('newsletter.edition_changed', 'conflict');
export const editionSent = defineError('newsletter.edition_sent', 'conflict');
export const editionNotSending = defineError('newsletter.edition_not_sending', 'conflict');
/** Only an edition that was cancelled or stopped is sent to the rest. */
export const editionNotEnded = defineError('newsletter.edition_not_ended', 'conflict');
export const nobodyLeft = defineError('newsletter.nobody_left', 'conflict');
export const slugTaken = defineError('newsletter.slug_taken', 'conflict', { field: 'slug' });
export const tooManyEditions = defineError('newsletter.too_many_editions', 'conflict');
export const titleRequired = defineError('newsletter.title_required', 'invalid', { field: 'title' });
export const contentRequired = defineError('newsletter.content_required', 'invalid', { field: 'content' });
export const nobodyToSendTo = defineError('newsletter.nobody', 'conflict');
export const notReady = defineError('newsletter.not_ready', 'conflict');
export const scheduleInPast = defineError('newsletter.schedule_in_past', 'invalid', { field: 'sendAt' });
export const scheduleTooFar = defineError('newsletter.schedule_too_far', 'invalid', { field: 'sendAt' });
export const senderLinkExpired = defineError('newsletter.sender_link_expired', 'expired');
export const tooManySenderEmails = defineError('newsletter.too_many_sender_emails', 'too_many', {
  field: 'senderEmail',
});
export const versionNotFound = defineError('newsletter.version_not_found', 'not_found');
export const automationNotFound = defineError('newsletter.automation_not_found', 'not_found');
export const tooManyAutomations = defineError('newsletter.too_many_automations', 'conflict');
export const tooManySteps = defineError('newsletter.too_many_steps', 'conflict');
export const noSteps = defineError('newsletter.no_steps', 'conflict');
/** `why`: in a sentence, `step`: its subject or its number. */
export const stepNotReady = defineError('newsletter.step_not_ready', 'conflict');
export const domainInvalid = defineError('newsletter.domain_invalid', 'invalid', { field: 'domain' });
export const domainOfPlatform = defineError('newsletter.domain_of_platform', 'invalid', { field: 'domain' });
export const domainOfMailboxes = defineError('newsletter.domain_of_mailboxes', 'invalid', { field: 'domain' });
export const domainAlreadyAdded = defineError('newsletter.domain_already_added', 'conflict', { field: 'domain' });
export const tooManyDomains = defineError('newsletter.too_many_domains', 'conflict');
export const domainNotFound = defineError('newsletter.domain_not_found', 'not_found');
export const domainTaken = defineError('newsletter.domain_taken', 'conflict');
