import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { members } from '~/db/schema/team';
import { maintainPartitions } from '~/server/domain/listening/partitions';
import { KINDS } from '~/server/domain/products/kinds';
import type { TeamRole } from '~/server/policy/roles';
import { TABLE } from '~/server/rest/table';
import { systemCtx } from '~/server/runtime/runtime';
import { appRows } from '../support/app-rows';
import { attackedServer } from '../support/attacked-server';
import {
  authorizationDoors,
  type CallerName,
  callersOf,
  expectedOf,
  type Input,
  outcomeOf,
  procedures,
  type Rule,
  statedRows,
  TEAM,
  type TeamCaller,
} from '../support/authorization';
import { CONTENT_ROWS, contentFolder } from '../support/content-rows';
import { developerRows } from '../support/developer-rows';
import { insertionRows } from '../support/insertion-rows';
import { listenerRows } from '../support/listener-rows';
import { checkNewAudio } from '../support/run-jobs';
import { sellerRestRows, sellerRows } from '../support/seller-rows';
import { soundbiteRows } from '../support/soundbite-rows';
import { statisticsRows } from '../support/statistics-rows';
import { suggestionRows } from '../support/suggestion-rows';
import { supportRows } from '../support/support-rows';
import { transcriptRows } from '../support/transcript-rows';
import { transcriptionRows } from '../support/transcription-rows';

const { runtime, lucia, ada, tom, podcast, series, episodes, make, sendRaw } = await attackedServer({
  CONTENT_DIR: await contentFolder(),
});
const { callProcedure, callRest } = authorizationDoors(sendRaw);
await maintainPartitions(systemCtx(runtime, 'listening.prepare'));

/** Lucía owns everything that the calls access; Ada is another creator, and Tom has no creator page. */
const CALLERS = { visitor: null, listener: tom, other: ada, owner: lucia, ...(await luciasTeam()) };

/** The former member's sessions still choose Lucía's page. */
async function luciasTeam(): Promise<Record<TeamCaller, { id: number }>> {
  const [editor, analyst, finance, former] = await Promise.all([1, 2, 3, 4].map(() => make.person()));
  const team = { editor: editor!, analyst: analyst!, finance: finance! };
  const rows = Object.entries(team).map(([role, { id }]) => ({ userId: id, role: role as TeamRole }));
  await runtime.db.update(users).set({ emailVerifiedAt: runtime.now() });
  await runtime.db.insert(members).values(rows.map((row) => ({ ...row, creatorId: lucia.creatorId })));
  return { ...team, former: former! };
}

type Caller = { token: string };
/** The rule says which callers a call accepts. The input succeeds for the owner, or for the given caller. */
type MatrixRow = [rule: Rule, input?: (by?: Caller) => Promise<Input> | Input];
const file = { fileName: 'a.mp3', contentType: 'audio/mpeg', fileSize: 10, purpose: 'episode_audio' };
await runtime.db.update(creators).set({ showNewsletter: true });
const show = { id: podcast.id, kind: 'podcast' };
const domain = { domain: lucia.domain };
const heard = { id: episodes.podcast.public.id, kind: 'podcast' };
const onHold = { id: episodes.podcast.onHold.id, kind: 'podcast' };
const scheduled = { id: episodes.podcast.scheduled.id, kind: 'podcast' };
const nobody = () => ({ email: `nobody${Math.random()}@mail.example`, password: 'wrong password' });
const newShow = async (by: Caller = lucia) => ({ ...(await make.productInput(by)) });
const showOf = async (over: object) => ({ id: (await make.product(lucia, over)).id, kind: 'podcast' });
const oldShow = () => showOf({});
const draft = async () => ({ id: (await make.draft(lucia, podcast)).id, kind: 'podcast' });
const { purpose: _, ...promoFile } = file;
const promoUpload = { ...promoFile, episodeId: episodes.podcast.public.id };
const checkedDraft = async () => {
  const ref = await draft();
  await checkNewAudio(runtime);
  return ref;
};
const withPromo = async () => {
  const ref = await checkedDraft();
  await lucia.api.episodes.cutPromo({ ...ref, kind: 'podcast', startMs: 0, endMs: 2000 });
  return ref;
};
const deleted = async () => {
  const ref = await draft();
  await lucia.api.episodes.remove(ref as { id: number });
  return ref;
};
const changed = async () => {
  const { id } = await draft();
  const { batchId } = await lucia.api.episodes.change({ productId: podcast.id, action: 'private', ids: [id] });
  return { batchId };
};
const transcript = { id: heard.id, fileName: 'a.txt', content: 'QQ==' };
const transcribed = () => lucia.api.episodes.uploadTranscript(transcript).then(() => heard);
const newEpisode = async (by: Caller = lucia) => ({
  kind: 'podcast',
  productId: podcast.id,
  name: 'A',
  description: 'b',
  fileKey: await make.upload(by, 'episode_audio'),
});
const invited = () => ({ email: `i${Math.random()}@mail.example`, role: 'analyst' });
const pending = async () => {
  await lucia.api.team.invite(invited() as never);
  return { id: (await lucia.api.team.get()).invitations.at(-1)!.id };
};
const memberToRemove = async () => {
  const { id: userId } = await make.person();
  await runtime.db.insert(members).values({ creatorId: lucia.creatorId, userId, role: 'analyst' });
  return { userId };
};
const listeners = Object.values(CALLERS).filter((caller) => caller !== null);
const LISTENERS = await listenerRows({ runtime, listeners, show: await make.product(lucia), episode: heard });
const SELLERS = await sellerRows({ runtime, owner: lucia, paid: await make.product(lucia, { priceMinor: 500 }) });

/** Every procedure, at least once: one that neither says who may call it nor has a row here fails the first test. */
const ofStatistics = statisticsRows(episodes);
const ofTranscription = transcriptionRows({ runtime, show: podcast, make });

const PROCEDURES: Record<string, MatrixRow[]> = {
  ...statedRows(),
  'accounts.signUp': [['everyone']],
  'accounts.logIn': [['everyone', nobody]],
  'accounts.finishLogIn': [['everyone', () => ({ code: '123456' })]],
  'accounts.logInWithPasskey': [['everyone', () => ({ token: 'unknown', response: { id: 'unknown' } })]],
  'accounts.confirmIdentity': [['users', () => ({ confirmationPassword: 'wrong' })]],
  'accounts.confirmWithPasskey': [['users', () => ({ token: 'unknown', response: { id: 'unknown' } })]],
  'accounts.confirmAuthenticator': [['users', () => ({ code: '123456' })]],
  'accounts.addPasskey': [['users', () => ({ token: 'unknown', response: { id: 'unknown' } })]],
  'accounts.renamePasskey': [['users', () => ({ id: 'unknown', name: 'Mine' })]],
  'accounts.deletePasskey': [['users', () => ({ id: 'unknown' })]],
  'accounts.chooseLanguage': [['everyone', () => ({ language: 'en' })]],
  'accounts.chooseConsent': [['everyone', () => ({ consent: 'denied' })]],
  'accounts.update': [['users', () => ({ country: 'ES' })]],
  'accounts.completeFirstLogin': [['users', () => ({ country: 'ES', language: 'es' })]],
  'accounts.updatePayoutAddress': [['users', () => ({ iban: '', currentPassword: 'wrong' })]],
  'accounts.updateBillingDetails': [['users', () => ({ city: 'Valencia' })]],
  'accounts.updateNotifications': [['users', () => ({ new_device: true })]],
  'accounts.requestPasswordReset': [['everyone', () => ({ email: 'nobody@mail.example' })]],
  'accounts.resetPassword': [['everyone', () => ({ token: 'unknown', password: 'correct horse' })]],
  'accounts.requestEmailChange': [['users', () => ({ email: 'new@mail.example' })]],
  'accounts.emailChangeLink': [['everyone', () => ({ token: 'unknown', side: 'new' })]],
  'accounts.confirmEmailChange': [['everyone', () => ({ token: 'unknown', side: 'new' })]],
  'accounts.endSession': [['users', () => ({ id: '0'.repeat(64) })]],
  'accounts.changePassword': [['users', () => ({ currentPassword: 'wrong', password: 'correct horse' })]],
  'accounts.requestDeletion': [['users', () => ({ currentPassword: 'wrong' })]],
  'accounts.requestDeletionByToken': [['tokenOnly']],
  'creators.claim': [['users', () => ({ name: 'A' })]],
  'creators.domainAvailability': [['users', () => ({ domain: 'free-domain' })]],
  'creators.update': [['creators', () => ({ aboutTitle: 'About' })]],
  'products.create': [['creators', newShow]],
  'products.update': [['owner', async () => ({ ...(await oldShow()), name: 'New' })]],
  'products.updateListings': [['owner', oldShow]],
  'products.seeFirstPublish': [['owner', oldShow]],
  'products.resendOwnerEmail': [['owner', oldShow]],
  'products.archive': [['owner', oldShow]],
  'products.unarchive': [['owner', oldShow]],
  'listening.playsOfShow': [['ownMembers', () => show]],
  ...ofStatistics.procedures,
  ...ofTranscription.procedures,
  'statistics.revokeSponsorLink': [
    [
      'owner',
      async () => {
        await lucia.api.statistics.createSponsorLink({ id: podcast.id, name: 'Sponsor', days: 7 });
        const [link] = await lucia.api.statistics.sponsorLinks({ id: podcast.id });
        return { ...show, linkId: link!.id };
      },
    ],
  ],
  'products.startFreeConversion': [['ownerAlone', () => showOf({ priceMinor: 500 })]],
  'products.callOffFreeConversion': [
    ['ownerAlone', () => showOf({ priceMinor: 500, freeConversion: 'at_period_end' })],
  ],
  'products.retire': [['ownerAlone', oldShow]],
  'products.get': [['everyone', () => show]],
  'products.forEditing': [['ownMembers', () => show]],
  'products.slugAvailability': [['creators', () => ({ slug: 'free' })]],
  'episodes.create': [['owner', newEpisode]],
  'episodes.update': [['owner', async () => ({ ...(await draft()), name: 'New' })]],
  'episodes.remove': [['owner', draft]],
  'episodes.restore': [['owner', deleted]],
  'episodes.deleted': [['owner', () => ({ productId: podcast.id })]],
  'episodes.duplicate': [['owner', () => onHold]],
  'episodes.change': [['owner', async () => ({ productId: podcast.id, action: 'private', ids: [(await draft()).id] })]],
  'episodes.lastChange': [['owner', changed]],
  'episodes.undoChange': [['owner', changed]],
  'episodes.release': [['owner', () => onHold]],
  'episodes.hold': [['owner', () => onHold]],
  'episodes.get': [
    ['everyone', () => heard],
    ['hidden', () => onHold],
    ['hidden', () => scheduled],
    ['hidden', draft],
  ],
  'episodes.forEditing': [['ownReaders', () => heard]],
  'episodes.keptReleases': [['users']],
  'episodes.publicRoom': [['owner', () => show]],
  'episodes.chapters': [['ownReaders', () => heard]],
  'episodes.describedChapters': [['ownReaders', () => heard]],
  'episodes.requestPromoUpload': [['owner', () => promoUpload]],
  'episodes.requestPromoFormUpload': [['owner', () => promoUpload]],
  'episodes.cutPromo': [['owner', async () => ({ ...(await checkedDraft()), startMs: 0, endMs: 2000 })]],
  'episodes.removePromo': [['owner', withPromo]],
  'episodes.saveChapters': [['owner', () => ({ ...heard, chapters: [{ startMs: 0, title: 'A' }] })]],
  'episodes.previewLink': [['owner', () => heard]],
  'episodes.revokePreviews': [['owner', draft]],
  'episodes.transcript': [['ownReaders', () => heard]],
  'episodes.uploadTranscript': [['owner', () => transcript]],
  'episodes.removeTranscript': [['owner', transcribed]],
  ...soundbiteRows({ runtime, owner: lucia, show: podcast, episode: episodes.podcast.public, domain }),
  ...suggestionRows({ runtime, show: podcast, make }),
  ...appRows({ runtime, owner: lucia, onHold }),
  ...transcriptRows({ owner: lucia, show: { id: podcast.id, kind: 'podcast' }, episode: { id: heard.id } }),
  'episodes.list': [['everyone', () => ({ productId: podcast.id, kind: 'podcast' })]],
  'identities.begin': [
    ['everyone', () => ({ provider: 'google' })],
    ['users', () => ({ provider: 'google', links: true })],
  ],
  'identities.finish': [['everyone', () => ({ provider: 'google', answer: '?state=unknown' })]],
  'identities.signUp': [['everyone']],
  'identities.unlink': [['users', () => ({ provider: 'google' })]],
  'listening.open': [
    ['everyone', () => heard],
    ['hidden', () => onHold],
    ['hidden', () => scheduled],
    ['hidden', () => ({ id: episodes.paidPodcast.private.id, kind: 'podcast' })],
  ],
  'listening.url': [
    ['everyone', () => heard],
    ['hidden', () => onHold],
    ['hidden', () => ({ id: episodes.paidPodcast.private.id, kind: 'podcast' })],
  ],
  'listening.adjacent': [['everyone', () => heard]],
  'listening.others': [['everyone', () => heard]],
  'listening.start': [['hidden', () => ({ ...onHold, session: 'matrix' })]],
  'listening.playsOfShows': [['members', () => ({ productIds: [podcast.id] })]],
  'listening.plays': [['members', () => ({ episodeIds: [episodes.podcast.public.id] })]],
  'media.requestUpload': [['users', () => file]],
  'media.requestFormUpload': [['users', () => file]],
  'media.storeEditionPicture': [['creators', () => ({ key: '0'.repeat(32) })]],
  'feeds.readiness': [['owner', () => show]],
  ...LISTENERS,
  ...SELLERS,
  'pages.creatorPreview': [['creators', () => ({ name: 'A' })]],
  'pages.address': [
    ['everyone', () => ({ type: 'product', id: podcast.id })],
    ['everyone', () => ({ type: 'creator', id: lucia.creatorId })],
  ],
  ...CONTENT_ROWS,
  'pages.creator': [['everyone', () => domain]],
  'pages.sitePicture': [['everyone', () => ({ path: '/es/blog' })]],
  'pages.discoverPassages': [['everyone', () => ({ search: 'a' })]],
  'pages.product': [['everyone', () => ({ ...domain, slug: podcast.slug })]],
  'pages.preview': [['everyone', () => ({ ...domain, token: 'unknown' })]],
  'pages.episode': [
    ['everyone', () => ({ ...domain, slug: podcast.slug, episodeSlug: episodes.podcast.public.slug })],
    ['hidden', () => ({ ...domain, slug: podcast.slug, episodeSlug: episodes.podcast.onHold.slug })],
  ],
  'episodes.search': [['members', () => ({ search: 'a' })]],
  'team.invite': [['heads', invited]],
  'team.resendInvitation': [['ownerAlone', pending]],
  'team.revokeInvitation': [['heads', () => ({ id: 1 })]],
  'team.changeRole': [['ownerAlone', () => ({ userId: CALLERS.editor.id, role: 'editor' })]],
  'team.removeMember': [['ownerAlone', memberToRemove]],
  'team.leave': [['members']],
  'team.switch': [['ownMembers', () => ({ creatorId: lucia.creatorId })]],
  'start.giveReason': [['users', () => ({ reason: 'publish' })]],
  'accounts.verifyByCode': [['users', () => ({ code: '000000' })]],
  'audience.joinNewsletter': [['everyone', () => ({ domain: lucia.domain, email: 'a@mail.example' })]],
  'audience.chooseShow': [['everyone', () => ({ token: 'unknown', productId: podcast.id, wants: false })]],
  'audience.saveChoices': [['everyone', () => ({ token: 'unknown', language: 'es', isTracked: true })]],
  'audience.eraseOwnContact': [['everyone', () => ({ token: 'unknown', hasConfirmed: true })]],
  ...supportRows(lucia),
  ...developerRows(lucia),
  ...insertionRows({ runtime, owner: lucia, episode: episodes.podcast.public, make }),
};

const restPromo = { file_name: 'a.mp3', file_size: 10, episode_id: episodes.podcast.public.id };
const restFile = { file_name: 'a.mp3', content_type: 'audio/mpeg', file_size: 10, purpose: 'episode_audio' };

/** The calls that each kind of show has under its own paths. */
function rowsOfKind(kind: 'podcast' | 'audio_series'): Record<string, MatrixRow[]> {
  const { path, episodePath, legacy } = KINDS[kind];
  const [{ id }, audible] = kind === 'podcast' ? [podcast, episodes.podcast] : [series, episodes.series];
  const heardHere = () => ({ id: audible.public.id });
  const old = async () => ({ id: (await make.product(lucia, { kind })).id });
  const unheard = async () => ({ id: (await make.draft(lucia, { id, kind })).id });
  const create = async () => ({ ...restEpisode, product_id: id, file_key: await make.upload(lucia, 'episode_audio') });
  return {
    [`POST ${path}/`]: [['creators', () => ({ name: 'A' })]],
    [`GET ${path}/`]: [['users']],
    [`GET ${path}/:id/`]: [['everyone', () => ({ id })]],
    [`PATCH ${path}/:id/`]: [['owner', async () => ({ ...(await old()), name: 'New' })]],
    [`DELETE ${legacy.remove}/:id/`]: [['owner', old]],
    [`GET ${path}/:productId/episodes_list/`]: [['everyone', () => ({ productId: id })]],
    [`POST ${episodePath}/`]: [['owner', create]],
    [`GET ${episodePath}/:id/`]: [
      ['everyone', heardHere],
      ['hidden', unheard],
    ],
    [`PATCH ${episodePath}/:id/`]: [['owner', async () => ({ ...(await unheard()), name: 'New' })]],
    [`DELETE ${episodePath}/:id/`]: [['owner', unheard]],
    [`GET ${legacy.play}/:id/`]: [
      ['everyone', heardHere],
      ['hidden', () => ({ id: audible.private.id })],
    ],
    [`GET ${legacy.url}/:id/`]: [
      ['everyone', heardHere],
      ['hidden', () => ({ id: audible.private.id })],
    ],
    [`POST ${legacy.listen}/:id/`]: [['everyone', () => ({ ...heardHere(), session_id: 'matrix', seconds: 61 })]],
  };
}
const restEpisode = { name: 'A', description: 'b' };

/** Every row of the REST table, at least once. `:id` comes from the input. */
const REST: Record<string, MatrixRow[]> = {
  'POST auth/login/': [['everyone', nobody]],
  'POST auth/logout/': [['users']],
  'POST auth/registration/': [['everyone']],
  'POST auth/password/reset/': [['everyone', () => ({ email: 'nobody@mail.example' })]],
  'GET auth/user/': [['users']],
  'PATCH auth/user/': [['users', () => ({ country: 'ES' })]],
  'GET delete-account/': [['users']],
  'POST unsubscribe-from-new_episodes/': [['everyone', () => ({ token: 'unknown' })]],
  'GET gtm-data/': [['everyone']],
  'GET countries/': [['everyone']],
  'GET country-list/': [['everyone']],
  'GET languages/': [['everyone']],
  'GET categories/': [['everyone']],
  'GET user-country/': [['everyone']],
  'GET configurations/': [['everyone']],
  'GET get-redirect-url/': [['everyone', () => ({ type: 'product', id: podcast.id })]],
  ...ofStatistics.rest,
  ...ofTranscription.rest,
  ...sellerRestRows({ runtime, owner: lucia, paid: podcast }),
  'GET discover/': [['everyone', () => ({})]],
  'GET episode-promo-delete/:id/': [['owner', withPromo]],
  'POST generate-url-upload-promo/': [['owner', () => restPromo]],
  'POST generate-url-upload-file/': [['users', () => restFile]],
  'GET all-audios/': [['users']],
  'GET open-podcast/:id/': [['everyone', () => ({ id: podcast.id })]],
  // these two serve public data only, for every caller
  'GET open-episode/:id/': [
    ['everyone', () => ({ id: episodes.podcast.public.id, audio_type: 'podcast' })],
    ['nobody', () => ({ id: episodes.podcast.onHold.id, audio_type: 'podcast' })],
  ],
  'GET other-episodes/:id/': [['everyone', () => ({ id: episodes.podcast.public.id, audio_type: 'podcast' })]],
  ...rowsOfKind('podcast'),
  ...rowsOfKind('audio_series'),
};

/** A separate session for each call, because logging out ends one. */
async function sessionOf(caller: CallerName): Promise<string | null> {
  const user = CALLERS[caller];
  if (!user) return null;
  const { token } = await runtime.sessions.start(user.id, { channel: 'web', userAgent: '', country: null });
  if (TEAM.includes(caller)) await runtime.sessions.workFor(token, lucia.creatorId);
  return token;
}

test('every procedure and every row of the REST table is classified', () => {
  expect(Object.keys(PROCEDURES).sort()).toEqual(Object.keys(procedures).sort());
  expect(Object.keys(REST).sort()).toEqual(TABLE.map(({ method, path }) => `${method} ${path}`).sort());
});

const casesOf = (table: Record<string, MatrixRow[]>, door: typeof callProcedure) =>
  Object.entries(table).flatMap(([name, rows]) => rows.map(([rule, input], i) => ({ name, rule, input, i, door })));

/** These calls end the sessions that create the inputs of other rows, or empty the team. */
const LAST = ['accounts.endOtherSessions', 'team.leave'];
const cases = [...casesOf(PROCEDURES, callProcedure), ...casesOf(REST, callRest)];

test.each([...cases.filter(({ name }) => !LAST.includes(name)), ...cases.filter(({ name }) => LAST.includes(name))])(
  '$name ($i) is open to: $rule',
  async ({ name, rule, input: inputOf, door }) => {
    const input = await inputOf?.();
    const statuses = new Map<CallerName, number>();
    await runtime.db.execute(sql`delete from rate_limits`);
    for (const caller of callersOf(rule, door === callRest)) {
      const token = await sessionOf(caller);
      // an editor's call, with its own input, succeeds like the owner's call before it
      const own = caller === 'editor' && door === callProcedure ? await inputOf?.({ token: token! }) : input;
      statuses.set(caller, await door(name, token, own));
    }

    const outcomes = [...statuses].map(([caller, status]) => [caller, outcomeOf(status)]);
    expect(Object.fromEntries(outcomes)).toEqual(expectedOf(rule, door === callRest, [...statuses.keys()]));
    if (rule.startsWith('own') || rule === 'hidden') expect(Math.floor(statuses.get('owner')! / 100)).toBe(2);
  },
);
