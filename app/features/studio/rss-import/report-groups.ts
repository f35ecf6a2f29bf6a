import type { LogEntry, Loss, Repair } from '~/server/feed/reader/model';

/** Groups of repairs and losses that share a sentence. Losses without a group do not matter to creators. */
const REPAIRS: Record<Repair, string> = {
  encoding_other_than_declared: 'repair.encoding',
  encoding_unknown: 'repair.encoding',
  encoding_guessed: 'repair.encoding',
  bytes_invalid: 'repair.encoding',
  text_doubly_encoded: 'repair.encoding',
  space_before_declaration: 'repair.markup',
  junk_before_declaration: 'repair.markup',
  markup_broken: 'repair.markup',
  ampersand_bare: 'repair.markup',
  entity_unknown: 'repair.markup',
  namespace_undeclared: 'repair.markup',
  namespace_misspelt: 'repair.markup',
  name_in_capitals: 'repair.markup',
  cdata_unclosed: 'repair.markup',
  tags_unclosed: 'repair.markup',
  markup_in_title: 'repair.titles',
  title_derived: 'repair.titles',
  url_fixed: 'repair.addresses',
  enclosure_chosen: 'repair.addresses',
  enclosure_elsewhere: 'repair.addresses',
  enclosure_original: 'repair.addresses',
  date_irregular: 'repair.dates',
  zone_unknown: 'repair.zones',
  duration_irregular: 'repair.dates',
  guid_derived: 'repair.guids',
  guid_duplicate: 'repair.guids',
  guid_trimmed: 'repair.guids',
  length_unknown: 'repair.files',
  length_irregular: 'repair.files',
  type_repaired: 'repair.files',
  type_guessed: 'repair.files',
  explicit_irregular: 'repair.other',
  language_repaired: 'repair.other',
  category_repaired: 'repair.category',
  category_elsewhere: 'repair.category',
  cover_elsewhere: 'repair.cover',
  trailer_made_episode: 'repair.trailer',
};
const LOSSES: Record<Loss, string | null> = {
  feed_too_large: 'loss.size',
  too_many_tags: 'loss.size',
  text_too_long: 'loss.size',
  too_deep: 'loss.size',
  too_many_attributes: 'loss.size',
  too_many_items: 'loss.size',
  list_too_long: 'loss.size',
  doctype_ignored: null,
  item_without_audio: 'loss.noAudio',
  item_duplicate: 'loss.duplicate',
  live_item: 'loss.live',
  enclosure_dropped: 'loss.files',
  url_unreadable: 'loss.files',
  date_unreadable: 'loss.dates',
  date_missing: 'loss.dates',
  duration_unreadable: 'loss.numbers',
  number_unreadable: 'loss.numbers',
  type_unknown: 'loss.numbers',
  category_unknown: 'loss.category',
  description_cut: 'loss.cut',
  description_dropped: 'loss.description',
  contact_missing: 'loss.contact',
  cover_missing: 'loss.cover',
  payment_tags: null,
  podcast_tags: 'loss.tags',
  page_missing: 'loss.page',
  cover_unavailable: 'loss.coverFailed',
};

export type ReportGroup = { key: string; count: number; first: number; percent?: number };

export const repairGroups = (entries: readonly LogEntry<Repair>[]) => group(entries, REPAIRS);
export const lossGroups = (entries: readonly LogEntry<Loss>[]) => group(entries, LOSSES);

function group<Kind extends string>(
  entries: readonly LogEntry<Kind>[],
  groups: Record<Kind, string | null>,
): ReportGroup[] {
  const found = new Map<string, ReportGroup>();
  for (const { kind, count, first, percent } of entries) {
    const key = groups[kind];
    if (!key) continue;
    const known = found.get(key) ?? { key, count: 0, first: 0 };
    found.set(key, { ...known, percent, count: known.count + count, first: known.first || first });
  }
  return [...found.values()];
}
