import { isByTime, readCursor } from '../../../domain/audience/rules';
import { BODY_LIMITS } from '../../../limits/http';
import { call, listCall, type V1Call } from '../v1-call';
import {
  contactChangeView,
  contactView,
  oneContactView,
  oneSubscriberView,
  subscriberView,
  walkContacts,
} from '../views/people';
import { createdView } from '../views/plain-view';
import { invitedView, newSubscriberFeedView, removedView, subscriberFeedView } from '../views/subscribers';

const subscribers = { chapter: 'subscribers', names: { show_id: 'id' } } as const;
const contacts = { chapter: 'contacts' } as const;

export const subscriberCalls: V1Call[] = [
  listCall('GET /shows/:show_id/subscribers', 'buyers.list', {
    isExample: true,
    ...subscribers,
    scope: 'subscribers:read',
    summary: 'The subscribers and customers of a show, the latest first.',
    only: ['id', 'search', 'state'],
    out: subscriberView,
  }),
  call('POST /shows/:show_id/subscribers', 'buyers.invite', {
    ...subscribers,
    scope: 'subscribers:write',
    summary:
      'Give a person free access to a paid show, by an address. They get an email with their private feed. The answer does not tell whether they have an account.',
    only: ['id', 'email'],
    example: { email: 'ana@example.com' },
  }),
  call('POST /shows/:show_id/subscribers/batch', 'buyers.inviteBatch', {
    ...subscribers,
    scope: 'subscribers:write',
    summary:
      'Give up to 1,000 people free access to a paid show, by their addresses. Each entry gets a result, in their order. Repeating it changes nothing, so a repeated call is made again and not answered from memory. People whom your emails of the day do not reach get access without an email. Above the new people of a day, the result is `try_later`. The list of subscribers has the ids. One batch runs at a time.',
    maxBytes: BODY_LIMITS.people,
    isRepeatable: true,
    only: ['id', 'subscribers', 'sendsEmail'],
    names: { ...subscribers.names, send_email: 'sendsEmail' },
    out: invitedView,
    isExample: true,
    example: { subscribers: [{ email: 'ana@example.com' }, { email: 'luis@example.com' }] },
  }),
  call('POST /shows/:show_id/subscribers/batch/end', 'buyers.removeBatch', {
    ...subscribers,
    scope: 'subscribers:write',
    summary:
      'End the free access of up to 1,000 people to a show, by their addresses. What they or a giver have paid for stays: `paid`. Each entry gets a result, in their order, and a repeated call is made again.',
    maxBytes: BODY_LIMITS.people,
    isRepeatable: true,
    only: ['id', 'subscribers', 'sendsEmail'],
    names: { ...subscribers.names, send_email: 'sendsEmail' },
    out: removedView,
    example: { subscribers: [{ email: 'ana@example.com' }] },
  }),
  call('GET /shows/:show_id/subscribers/:user_id/feed', 'buyers.feed', {
    ...subscribers,
    scope: 'subscribers:read',
    summary: 'When you made the private feed of a subscriber. Its address is shown only when it is made.',
    only: ['id', 'userId'],
    out: subscriberFeedView,
  }),
  call('POST /shows/:show_id/subscribers/:user_id/feed', 'buyers.createFeed', {
    ...subscribers,
    scope: 'subscribers:write',
    summary:
      'Make a private feed of a show for a subscriber with access, beside their own addresses. The answer has its address, once. It works like a password, and ends with the access.',
    only: ['id', 'userId'],
    out: newSubscriberFeedView,
    status: 201,
  }),
  call('POST /shows/:show_id/subscribers/:user_id/feed/replace', 'buyers.replaceFeed', {
    ...subscribers,
    scope: 'subscribers:write',
    summary:
      'Replace the address of a private feed that you made. The former one stops working, and a subscriber with a verified address gets an email. Ten times a day.',
    only: ['id', 'userId'],
    out: newSubscriberFeedView,
  }),
  call('DELETE /shows/:show_id/subscribers/:user_id/feed', 'buyers.revokeFeed', {
    ...subscribers,
    scope: 'subscribers:write',
    summary: 'End a private feed that you made. The subscriber keeps their access and their own addresses.',
    only: ['id', 'userId'],
  }),
  call('GET /shows/:show_id/subscribers/:user_id', 'buyers.get', {
    ...subscribers,
    scope: 'subscribers:read',
    summary: 'One subscriber.',
    only: ['id', 'userId'],
    out: oneSubscriberView,
  }),
  call('DELETE /shows/:show_id/subscribers/:user_id', 'buyers.remove', {
    ...subscribers,
    scope: 'subscribers:write',
    summary: 'End a person’s access to a show now, and their subscription. It refunds nothing.',
    only: ['id', 'userId'],
  }),
];

export const contactCalls: V1Call[] = [
  listCall('GET /contacts', 'contacts.list', {
    ...contacts,
    scope: 'contacts:read',
    summary:
      'The contacts. `tag` and `show` are a name and a slug; `sort` is `newest` unless it says otherwise. `total` counts up to 10,000.',
    only: ['search', 'status', 'tag', 'show', 'subscription', 'source', 'since', 'unseen', 'sort'],
    walk: walkContacts,
    isCursor: (cursor, query) => readCursor(cursor, { isTime: isByTime(query.get('sort') ?? 'newest') }) !== null,
    out: contactView,
  }),
  call('POST /contacts', 'contacts.add', {
    isExample: true,
    ...contacts,
    scope: 'contacts:write',
    summary: 'Add a contact. With `has_agreed`, you declare that the person has agreed to your emails.',
    out: createdView,
    status: 201,
    example: { email: 'ana@example.com', name: 'Ana', tags: ['reader'], has_agreed: true },
  }),
  call('GET /contacts/:id', 'contacts.get', {
    ...contacts,
    scope: 'contacts:read',
    summary: 'One contact.',
    out: oneContactView,
  }),
  call('PUT /contacts/:id', 'contacts.update', {
    ...contacts,
    scope: 'contacts:write',
    summary: 'Change the name and the tags of a contact, and its address if there is one.',
    example: { name: 'Ana', tags: ['reader', 'friend'] },
  }),
  call('DELETE /contacts/:id', 'contacts.change', {
    ...contacts,
    scope: 'contacts:write',
    summary: 'Delete a contact.',
    only: [],
    toInput: ({ id }) => ({ action: 'delete', ids: [id] }),
  }),
  call('POST /contacts/changes', 'contacts.change', {
    ...contacts,
    scope: 'contacts:write',
    summary: 'Change many contacts at once: those with these `ids`, or those that a `filter` finds.',
    out: contactChangeView,
    example: { action: 'tag', tag: 'reader', filter: { status: 'active' } },
  }),
];
