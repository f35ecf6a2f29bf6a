/** The creator's remedy for a broken rule: a field of the show or of its episodes, or none (`ours`). */
export type Remedy = ShowField | EpisodePart | 'firstEpisode' | 'ours';
/** Fields of the show's form, by their names. */
export type ShowField =
  | 'name'
  | 'description'
  | 'category'
  | 'language'
  | 'coverKey'
  | 'author'
  | 'ownerEmail'
  | 'fundingUrl';
export type EpisodePart =
  | 'episodeName'
  | 'episodeDescription'
  | 'episodeAudio'
  | 'episodeNumber'
  | 'episodeCover'
  | 'episodePeople'
  | 'episodeTranscript'
  | 'episodeChapters'
  | 'episodeSoundbites';

/** Apple's minimum in pixels, which the feed itself doesn't show. */
export const COVER_RULE = 'cover_pixels';

const RULES_OF: Partial<Record<Remedy, string>> = {
  name: 'title_present title_length',
  description: 'description_present description_bytes',
  category: 'category_present category_known',
  language: 'language_present',
  coverKey: `image_present image_type ${COVER_RULE}`,
  author: 'author_present',
  ownerEmail: 'owner_email',
  fundingUrl: 'funding_url funding_text',
  firstEpisode: 'episodes_present',
  episodeName: 'episode_title episode_title_length',
  episodeDescription: 'item_description_present episode_description_bytes',
  episodeAudio: 'enclosure_once enclosure_url enclosure_length enclosure_type duration_present duration_valid',
  episodeNumber: 'episode_numbers serial_numbers season_named episode_named',
  episodeCover: 'episode_image image_described',
  episodePeople: 'person_named person_group',
  episodeTranscript: 'transcript_type',
  episodeChapters: 'chapters_type',
  episodeSoundbites: 'soundbite_times soundbite_length',
};

const REMEDIES = new Map(
  Object.entries(RULES_OF).flatMap(([remedy, rules]) => rules.split(' ').map((rule) => [rule, remedy as Remedy])),
);

/** Only we write the rest of the feed. */
export const remedyOf = (rule: string): Remedy => REMEDIES.get(rule) ?? 'ours';

/** Rules about tags that only occur in feeds for paid content on Spotify. */
export const isAboutSpotify = (rule: string): boolean => rule.startsWith('spotify_');
