import fs from 'node:fs';
import { expect, test } from 'vitest';
import { ACTIVITY_ACTIONS } from '~/server/domain/team/kinds';
import { appRouter } from '~/server/trpc/router';
import { code } from '../support/sources';

/** The log entry of each change by these routers. A new mutation fails until it is listed. */
const RECORDED: Record<string, string | string[]> = {
  'creators.update': 'page.updated',
  'webhooks.create': 'webhook.added',
  'webhooks.change': 'webhook.changed',
  'webhooks.remove': 'webhook.removed',
  'webhooks.rotateSecret': 'webhook.secret_replaced',
  'webhooks.switch': ['webhook.switched_on', 'webhook.switched_off'],
  'webhooks.test': 'webhook.tested',
  'webhooks.redeliver': 'webhook.redelivered',
  'affiliates.join': 'affiliate.joined',
  'apps.connect': 'app.connected',
  'apps.disconnect': 'app.disconnected',
  'affiliates.createLink': 'affiliate.link_created',
  'developers.createKey': 'key.created',
  'developers.rotateKey': 'key.rotated',
  'developers.revokeKey': 'key.revoked',
  'products.create': 'product.created',
  'products.update': 'product.updated',
  'products.updateListings': 'product.listed',
  'products.resendOwnerEmail': 'product.owner_asked',
  'moving.redirectFeed': 'product.feed_redirected',
  'moving.undo': 'product.feed_redirect_undone',
  'statistics.createSponsorLink': 'product.sponsor_link_created',
  'statistics.revokeSponsorLink': 'product.sponsor_link_revoked',
  'products.archive': 'product.archived',
  'products.unarchive': 'product.unarchived',
  'products.startFreeConversion': ['product.becoming_free', 'product.refunding'],
  'products.callOffFreeConversion': 'product.kept_paid',
  'products.retire': 'product.deleted',
  'spotify.publish': 'product.published_on_spotify',
  'spotify.withdraw': 'product.withdrawn_from_spotify',
  'campaigns.create': 'campaign.created',
  'campaigns.edit': 'campaign.updated',
  'campaigns.switch': ['campaign.switched_on', 'campaign.switched_off'],
  'campaigns.end': 'campaign.ended',
  'campaigns.remove': 'campaign.deleted',
  'campaigns.move': 'campaign.moved',
  'campaigns.promise': ['product.insertions_promised', 'product.insertions_promise_ended'],
  'episodes.create': 'episode.created',
  'episodes.update': 'episode.updated',
  'episodes.updateDraft': ['episode.updated', 'episode.chapters_changed'],
  'episodes.remove': 'episode.deleted',
  'episodes.restore': 'episode.restored',
  'episodes.duplicate': 'episode.duplicated',
  'episodes.release': ['episode.published', 'episode.scheduled', 'episode.release_kept'],
  'episodes.hold': 'episode.unpublished',
  'episodes.revokePreviews': 'episode.previews_revoked',
  'episodes.saveChapters': 'episode.chapters_changed',
  'transcription.start': 'episode.transcription_started',
  'transcription.timeText': 'episode.timing_started',
  'transcription.decide': 'episode.transcript_changed',
  'suggestions.start': 'episode.suggestions_started',
  'suggestions.take': ['episode.updated', 'episode.chapters_changed'],
  'episodes.uploadTranscript': 'episode.transcript_changed',
  'episodes.removeTranscript': 'episode.transcript_changed',
  'transcripts.save': 'episode.transcript_changed',
  'transcripts.restore': 'episode.transcript_changed',
  'transcripts.saveGlossary': 'product.glossary_changed',
  'episodes.cutPromo': 'episode.promo_added',
  'episodes.removePromo': 'episode.promo_deleted',
  'soundbites.add': 'episode.soundbite_added',
  'soundbites.rename': 'episode.soundbite_renamed',
  'soundbites.remove': 'episode.soundbite_deleted',
  'clips.create': 'clip.added',
  'clips.cut': 'clip.added',
  'clips.rename': 'clip.renamed',
  'clips.remove': 'clip.deleted',
  'insertionPoints.save': 'episode.points_marked',
  'insertionPoints.saveSlots': 'product.template_changed',
  'passages.replace': 'episode.passage_replaced',
  'passages.replaceInAll': 'episode.passage_replaced',
  'passages.restore': 'episode.passage_restored',
  'episodes.change': 'episodes.changed',
  'imports.markPrivate': 'episodes.changed',
  'episodes.undoChange': 'episodes.change_undone',
  'archives.request': 'archive.requested',
  'imports.request': 'import.requested',
  'imports.cancel': 'import.cancelled',
  'imports.followOldFeed': ['import.following', 'import.not_following'],
  'subscriberImports.request': 'subscribers.import_checked',
  'subscriberImports.cancel': 'subscribers.import_cancelled',
  'subscriberImports.confirm': 'subscribers.imported',
  'subscriberMoves.start': 'subscribers.moved',
  'importedHistory.save': 'statistics.history_imported',
  'contactImports.request': 'contacts.imported',
  'importedHistory.remove': 'statistics.history_removed',
  'buyers.invite': 'buyer.invited',
  'buyers.remove': 'buyer.removed',
  'buyers.inviteBatch': 'buyers.invited',
  'buyers.removeBatch': 'buyers.removed',
  'buyers.createFeed': 'buyer.feed_created',
  'buyers.replaceFeed': 'buyer.feed_replaced',
  'buyers.revokeFeed': 'buyer.feed_revoked',
  'buyers.refund': 'buyer.refunded',
  'buyers.note': 'buyer.noted',
  'buyers.message': 'buyer.messaged',
  'contacts.add': 'contact.added',
  'contacts.update': 'contact.updated',
  'contacts.change': 'contacts.changed',
  'contacts.undoChange': 'contacts.change_undone',
  'contacts.renameSegment': 'segment.saved',
  'newsletter.saveSettings': 'newsletter.saved',
  'newsletter.recommend': 'newsletter.recommended',
  'newsletter.endRecommendation': 'newsletter.recommendation_ended',
  'recommendations.request': 'recommendation.requested',
  'recommendations.accept': 'recommendation.accepted',
  'recommendations.decline': 'recommendation.declined',
  'recommendations.withdraw': 'recommendation.withdrawn',
  'recommendations.end': 'recommendation.ended',
  'recommendations.block': ['recommendations.blocked', 'recommendations.closed'],
  'recommendations.unblock': ['recommendations.unblocked', 'recommendations.opened'],
  'newsletter.resendSender': 'newsletter.sender_asked',
  'newsletter.addDomain': 'newsletter.domain_added',
  'newsletter.checkDomain': 'newsletter.domain_verified',
  'newsletter.changeDomainSender': 'newsletter.domain_changed',
  'newsletter.removeDomain': 'newsletter.domain_removed',
  'editions.create': 'edition.created',
  'editions.delete': 'edition.deleted',
  'editions.send': ['edition.sent', 'edition.scheduled'],
  'editions.cancel': 'edition.cancelled',
  'editions.resume': 'edition.resumed',
  'editions.duplicate': 'edition.created',
  'automations.create': 'automation.created',
  'automations.rename': 'automation.updated',
  'automations.addStep': 'automation.updated',
  'automations.delayStep': 'automation.updated',
  'automations.removeStep': 'automation.updated',
  'automations.switch': ['automation.switched_on', 'automation.switched_off'],
  'automations.delete': 'automation.deleted',
  'automations.stopWelcome': 'newsletter.saved',
  'contacts.saveSegment': 'segment.saved',
  'contacts.deleteSegment': 'segment.deleted',
  'coupons.create': 'coupon.created',
  'coupons.setState': ['coupon.disabled', 'coupon.enabled'],
  'pauses.pause': 'subscription.paused',
  'pauses.end': 'subscription.resumed',
  'payouts.request': 'payout.requested',
  'sellerAccount.finish': 'account.connected',
  'sellerAccount.disconnect': 'account.disconnected',
  'donations.updateSettings': 'donations.settings_changed',
  'donations.hide': ['donations.hidden', 'donations.shown'],
  'team.invite': 'member.invited',
  'team.resendInvitation': 'member.invited',
  'team.revokeInvitation': 'member.invitation_revoked',
  'team.acceptInvitation': 'member.joined',
  'team.changeRole': 'member.role_changed',
  'team.removeMember': 'member.removed',
  'team.leave': 'member.left',
};
/** Mutations that change nothing of the creator, or are not made by a member. */
const NOT_RECORDED = [
  'apps.decline',
  // a job converts the clip for an episode, which only its creator hears
  'insertionPoints.prepareSound',
  'creators.claim',
  'products.seeFirstPublish',
  'products.askForUnused',
  'episodes.requestPromoUpload',
  'episodes.requestPromoFormUpload',
  'products.confirmFeedOwner',
  'newsletter.confirmSender',
  // by visitors
  'recommendations.visit',
  // by the person who signs up
  'newsletter.joinRecommended',
  // the owner uses the link
  'moving.undoByLink',
  'moving.check',
  'imports.preview',
  'imports.previewShow',
  'imports.checkOldFeed',
  'imports.proveByFeed',
  'imports.answer',
  'imports.acknowledge',
  // by the person who gets messages
  'buyers.stopMessages',
  'buyers.allowMessages',
  'team.switch',
  'donations.give',
  'donations.stop',
  'donations.stopByLink',
  // drafts are saved while people type; versions keep what they were
  'editions.update',
  'editions.restore',
  'editions.keepText',
  'editions.sendTest',
  // it only reads
  'editions.checkLinks',
  // of the person, who need not be a creator
  'spotify.link',
  'spotify.finish',
  'spotify.unlink',
  // it only reads
  'spotify.check',
  // it only redirects to the payment provider
  'sellerAccount.start',
];

const ROOMS =
  'affiliates apps creators developers products episodes team access promos soundbites clips campaigns insertionPoints passages contacts coupons buyers donations pauses imports importedHistory contactImports subscriberImports subscriberMoves moving archives payouts sellerAccount statistics recommendations newsletter editions automations transcripts transcription suggestions spotify webhooks'.split(
    ' ',
  );
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const mutations = Object.keys(procedures).filter(
  (name) => procedures[name]!._def.type === 'mutation' && ROOMS.includes(name.split('.')[0]!),
);

test('every change of a creator’s things is recorded, or listed as not recorded', () => {
  expect([...Object.keys(RECORDED), ...NOT_RECORDED].sort()).toEqual(mutations.sort());
});

test('every action of the log is written somewhere, by the room that it is about', () => {
  const rooms = code.filter(({ file }) => file.startsWith('server/domain/') && !file.endsWith('/team/kinds.ts'));
  const unwritten = ACTIVITY_ACTIONS.filter((action) => !rooms.some(({ text }) => text.includes(`'${action}'`)));

  expect(unwritten).toEqual([]);
  expect(new Set(Object.values(RECORDED).flat())).toEqual(new Set(ACTIVITY_ACTIONS));
});

test.each(['en', 'es'])('every action has a sentence in %s', (language) => {
  const texts = JSON.parse(fs.readFileSync(`locales/${language}/team.json`, 'utf8'));

  // sentences with a number have plural forms
  const hasText = (action: string) => [action, `${action}_other`].some((key) => texts[`activity.${key}`]);
  expect(ACTIVITY_ACTIONS.filter((action) => !hasText(action))).toEqual([]);
});
