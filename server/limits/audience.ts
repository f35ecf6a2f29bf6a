import { DAYS, MINUTES, SECONDS } from '../base/time';

/**
 * The newsletter form. `linkLifetime`: how long the link that confirms an address works; a contact that never confirms
 * is deleted afterwards. `perWindow`: such emails to one address, from all newsletters together; `perCreator`: from one.
 * `fastest`: nobody finds, fills in and sends the form in fewer milliseconds. `recommending`: how long after the confirmation
 * the page adds the address to newsletters that the creator recommends.
 */
export const NEWSLETTER_LIMITS = {
  linkLifetime: DAYS(2),
  perWindow: 3,
  perCreator: 1,
  window: DAYS(1),
  fastest: SECONDS(1),
  recommending: MINUTES(30),
} as const;

/**
 * A creator's contacts. `follows`: the shows that one listener follows. `mostListed`: the longest page of the API. `counted`: a filtered list is counted up to this
 * number. `batch`: contacts that are selected and changed at a time, `found`: those that a filter finds; `undo`: for how long
 * that can be undone. `searchWords`: words of a search that are found in any order. `deletedKept`: how long an email to
 * unsubscribe is understood after its contact was deleted. `unseenMonths`: the longest time without reading that a filter
 * asks for. `forgotten`: contacts whose days are deleted at a time.
 */
export const CONTACT_LIMITS = {
  follows: 1000,
  counted: 10_000,
  pageSize: 50,
  mostListed: 100,
  batch: 100,
  found: 10_000,
  undo: DAYS(1),
  deletedKept: DAYS(730),
  exported: 1000,
  search: 100,
  searchWords: 6,
  name: 100,
  tag: 50,
  tags: 500,
  tagsOfContact: 50,
  segments: 100,
  segmentName: 50,
  unseenMonths: 36,
  forgotten: 5000,
  emails: 50,
} as const;
