/** Where a clip comes from: a file, the browser's microphone, a passage of an episode, or the promo of another show. */
export const CLIP_ORIGINS = ['upload', 'recording', 'cut', 'promo'] as const;
export type ClipOrigin = (typeof CLIP_ORIGINS)[number];

export const CLIP_STATES = ['in_progress', 'ready', 'failed'] as const;
export type ClipState = (typeof CLIP_STATES)[number];

/** What fills a place, in this order: a paid or own campaign, the promo of a recommended show, the own fallback. */
export const CAMPAIGN_KINDS = ['campaign', 'promo', 'fallback'] as const;
export type CampaignKind = (typeof CAMPAIGN_KINDS)[number];

/** Before the episode, inside at a marked point, or after the episode. */
export const PLACES = ['pre', 'mid', 'post'] as const;
export type Place = (typeof PLACES)[number];

/** The episodes of a campaign: all, chosen ones, those released before a day, or those released from a day on. */
export const EPISODE_SELECTIONS = ['all', 'chosen', 'before', 'new'] as const;
export type EpisodeSelection = (typeof EPISODE_SELECTIONS)[number];

/** Who marked a point: the creator, the template of the show, or the measurement of its pauses. */
export const POINT_ORIGINS = ['creator', 'template', 'proposal'] as const;
export type PointOrigin = (typeof POINT_ORIGINS)[number];

/** The rule by which a show's new episodes get a point. */
export const SLOT_RULES = ['after_intro', 'near_middle', 'before_end'] as const;
export type SlotRule = (typeof SLOT_RULES)[number];

/** Through which door a listener gets the audio; a campaign chooses among them. */
export const LISTENER_DOORS = ['public_feed', 'private_feed', 'web_player'] as const;
export type ListenerDoor = (typeof LISTENER_DOORS)[number];

/**
 * A clip in a rendition. `place`: milliseconds of the episode’s own file, or its start or end. `campaignId` is null for a
 * clip that replaces a passage.
 */
export type PlacedClip = {
  place: 'pre' | 'post' | number;
  versionId: number;
  campaignId: number | null;
  silenceBeforeMs?: number;
  silenceAfterMs?: number;
};

/** A passage of the episode's own file that a rendition leaves out, in milliseconds. */
export type OmittedPassage = { fromMs: number; toMs: number };

/** All that determines a rendition of an episode's file, in the order of playing. */
export type Arrangement = { clips: PlacedClip[]; omitted: OmittedPassage[] };

/** A part of an episode in a rendition, in milliseconds: where it plays, where it begins in the episode, its length. */
export type ServedPart = { heardMs: number; fromMs: number; lengthMs: number };
