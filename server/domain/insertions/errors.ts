import { defineError } from '../../base/errors';

// clips
/** Also thrown for another creator's clip. */
export const clipNotFound = defineError('clip.not_found', 'not_found');
export const clipOutside = defineError('clip.outside', 'invalid', { field: 'endMs' });
export const clipNeedsAudio = defineError('clip.needs_audio', 'invalid');
/** The param is the name of the campaign. */
export const clipInCampaign = defineError('clip.used_by_campaign', 'conflict');
/** The param is the name of the episode. */
export const clipInPassage = defineError('clip.used_by_passage', 'conflict');
export const clipLimitReached = defineError('clip.limit_reached', 'limit_reached');
/** A version of a clip whose job did not finish. */
export const conversionFailed = defineError('clip.conversion_failed', 'invalid');

// campaigns
/** Also thrown for another creator's campaign, and for a promo, which its recommendation manages. */
export const campaignNotFound = defineError('campaign.not_found', 'not_found');
/** The text begins with that of the specification (§8). The params are the name and the id of the other campaign. */
export const sameDates = defineError('campaign.same_dates', 'conflict', { field: 'days' });
/** The text comes from the specification (§8). */
export const positionRequired = defineError('campaign.position_required', 'invalid', { field: 'place' });
export const clipRequired = defineError('campaign.clip_required', 'invalid', { field: 'clipIds' });
export const clipUnusable = defineError('campaign.clip_unusable', 'invalid', { field: 'clipIds' });
export const doorRequired = defineError('campaign.door_required', 'invalid', { field: 'inPublicFeed' });
export const episodesRequired = defineError('campaign.episodes_required', 'invalid', { field: 'episodeIds' });
export const episodeUnknown = defineError('campaign.episode_unknown', 'invalid', { field: 'episodeIds' });
export const selectionDayRequired = defineError('campaign.selection_day_required', 'invalid', {
  field: 'selectionDay',
});
export const firstDayRequired = defineError('campaign.first_day_required', 'invalid', { field: 'firstDay' });
export const lastDayTooEarly = defineError('campaign.last_day_too_early', 'invalid', { field: 'lastDay' });
export const campaignDayOver = defineError('campaign.day_over', 'invalid', { field: 'lastDay' });
/** Paced impressions need a cap to spread, and a last day to spread it to. */
export const pacingIncomplete = defineError('campaign.pacing_incomplete', 'invalid', { field: 'isPaced' });
/** The param is the number of impressions that are counted or expected. */
export const capTooLow = defineError('campaign.cap_too_low', 'invalid', { field: 'cap' });
export const campaignEnded = defineError('campaign.ended', 'conflict');
export const campaignIncomplete = defineError('campaign.incomplete', 'conflict');
/** The show has promised its subscribers that they hear none. */
export const subscribersPromised = defineError('campaign.subscribers_promised', 'conflict', {
  field: 'inPrivateFeeds',
});
export const tooManyCampaigns = defineError('campaign.limit_reached', 'limit_reached');

// the promise to subscribers
export const promiseNeedsPrice = defineError('promise.needs_price', 'conflict');
/** The param is the name of the campaign. */
export const campaignForSubscribers = defineError('promise.campaign_plays', 'conflict');

// points and passages
export const soundNotMeasured = defineError('point.not_measured', 'conflict');
/** The param is the length of the episode. */
export const pointOutside = defineError('point.outside', 'invalid', { field: 'points' });
export const pointsTooClose = defineError('point.too_close', 'invalid', { field: 'points' });
export const passageOutside = defineError('passage.outside', 'invalid', { field: 'toMs' });
export const passageOverlaps = defineError('passage.overlaps', 'conflict', { field: 'fromMs' });
export const tooManyPassages = defineError('passage.over_limit', 'limit_reached');
/** Also thrown for another creator's passage. */
export const passageNotFound = defineError('passage.not_found', 'not_found');
