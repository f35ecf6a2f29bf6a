import { KINDS, type Kind, type KindName } from '../domain/products/kinds';
import { type Call, call, listOf, paged } from './call';
import { currentUserOut, signedInOut, signedOutOut } from './serializers/accounts';
import { episodeOut, episodeUrlOut, listenOut, playerEpisodeOut } from './serializers/episodes';
import { productOut } from './serializers/products';
import { categoryOut, configurationsOut, countryOut, optionOut } from './serializers/reference';
import { uploadTicketOut } from './serializers/uploads';

const productPage = paged(productOut);
const episodePage = paged(episodeOut);
const options = listOf(optionOut);

/** Legacy names of the inputs that have another name inside. */
const SIGN_UP = { password1: 'password', password2: 'passwordConfirmation' };
const AUDIO_TYPE = { audio_type: 'kind' };

const session: Call[] = [
  call('POST auth/login/', 'accounts.logIn', {
    access: 'none',
    about: 'Log in; `key` is the token of the calls that follow.',
    out: signedInOut,
  }),
  call('POST auth/logout/', 'accounts.logOut', {
    access: 'auth',
    about: 'Log out; the token is dead at once.',
    out: signedOutOut,
  }),
  call('POST auth/registration/', 'accounts.signUp', {
    access: 'none',
    about: 'Make an account; a mail to verify the address goes out.',
    names: SIGN_UP,
    // without it the two passwords differ
    defaults: { passwordConfirmation: '' },
    out: signedInOut,
    status: 201,
  }),
  call('GET auth/user/', 'accounts.me', { access: 'auth', about: 'Who the token belongs to.', out: currentUserOut }),
  call('PATCH auth/user/', 'accounts.update', {
    access: 'auth',
    about: 'Change the account; the currency follows the country.',
    out: currentUserOut,
  }),
];

const reference: Call[] = [
  call('GET countries/', 'reference.countries', {
    access: 'none',
    about: 'Countries in both languages, by their English name.',
    out: listOf(countryOut),
  }),
  call('GET country-list/', 'reference.countryOptions', {
    access: 'none',
    about: "Countries in the request's language.",
    out: options,
  }),
  call('GET languages/', 'reference.languages', {
    access: 'none',
    about: 'Languages that a product may be in.',
    out: options,
  }),
  call('GET categories/', 'reference.categories', {
    access: 'optional',
    about: "Apple's category tree.",
    out: listOf(categoryOut),
  }),
  call('GET configurations/', 'reference.configurations', {
    access: 'none',
    about: 'Plans, price limits and what this installation offers.',
    out: configurationsOut,
  }),
];

const uploads: Call[] = [
  call('POST generate-url-upload-file/', 'media.requestFormUpload', {
    access: 'auth',
    about: 'Ask for an address to send a file to; its `key` is what other calls take the file by.',
    out: uploadTicketOut,
    status: 201,
  }),
];

const acrossKinds: Call[] = [
  call('GET all-audios/', 'products.list', {
    access: 'auth',
    about: "The creator's podcasts and audio series together.",
    names: { type: 'kind' },
    out: productPage,
  }),
  call('GET open-podcast/:id/', 'products.get', {
    access: 'none',
    about: 'A podcast as visitors see it.',
    fixed: { kind: 'podcast' },
    out: productOut,
  }),
  call('GET open-episode/:id/', 'episodes.get', {
    access: 'none',
    about: 'An episode as visitors see it.',
    names: AUDIO_TYPE,
    out: episodeOut,
  }),
  call('GET other-episodes/:id/', 'listening.others', {
    access: 'optional',
    about: 'The other episodes of the same product, in play order.',
    names: AUDIO_TYPE,
    out: episodePage,
  }),
];

const products = (kind: KindName, { path, legacy }: Kind): Call[] => [
  call(`POST ${path}/`, 'products.create', {
    access: 'auth',
    about: 'Make a product; for creators with a domain.',
    fixed: { kind },
    out: productOut,
    status: 201,
  }),
  call(`GET ${path}/`, 'products.list', {
    access: 'optional',
    about: "The creator's own; 401 for anonymous callers.",
    fixed: { kind },
    out: productPage,
  }),
  call(`GET ${path}/:id/`, 'products.get', {
    access: 'optional',
    about: 'One product.',
    fixed: { kind },
    out: productOut,
  }),
  call(`PATCH ${path}/:id/`, 'products.update', {
    access: 'owner',
    about: 'Change the fields that are sent.',
    fixed: { kind },
    out: productOut,
  }),
  call(`DELETE ${legacy.remove}/:id/`, 'products.retire', {
    access: 'owner',
    about: 'Take a product off the shelves.',
    fixed: { kind },
  }),
  call(`GET ${path}/:productId/episodes_list/`, 'episodes.list', {
    access: 'optional',
    about: 'Its episodes: all for the owner, who may filter by `status`; the published ones for others.',
    fixed: { kind },
    out: episodePage,
  }),
];

const episodes = (kind: KindName, { episodePath, legacy }: Kind): Call[] => [
  call(`POST ${episodePath}/`, 'episodes.create', {
    access: 'owner',
    about: 'Make an episode of an uploaded file; `in_progress` until its audio was checked.',
    fixed: { kind },
    out: episodeOut,
    status: 201,
  }),
  call(`GET ${episodePath}/:id/`, 'episodes.get', {
    access: 'optional',
    about: 'One episode; without access `url` is null.',
    fixed: { kind },
    out: episodeOut,
  }),
  call(`PATCH ${episodePath}/:id/`, 'episodes.update', {
    access: 'owner',
    about: 'Change the fields that are sent.',
    fixed: { kind },
    out: episodeOut,
  }),
  call(`DELETE ${episodePath}/:id/`, 'episodes.remove', {
    access: 'owner',
    about: 'Remove an episode for good.',
    fixed: { kind },
  }),
  call(`GET ${legacy.play}/:id/`, 'listening.open', {
    access: 'optional',
    about: 'What the player needs of an episode; 403 without access.',
    fixed: { kind },
    out: playerEpisodeOut,
  }),
  call(`GET ${legacy.url}/:id/`, 'listening.url', {
    access: 'optional',
    about: 'The playable address alone; 403 without access.',
    fixed: { kind },
    out: episodeUrlOut,
  }),
  call(`POST ${legacy.listen}/:id/`, 'listening.record', {
    access: 'optional',
    about: 'Count a listen of more than 60 seconds: 201 the first time in a session, 200 after.',
    fixed: { kind },
    names: { session_id: 'session' },
    defaults: { seconds: 0 },
    out: listenOut,
    statusOf: ({ counted }) => (counted ? 201 : 200),
  }),
];

/** Every call of the legacy API: a path, the procedure behind it, and how its answer is written. Nothing else decides. */
export const TABLE: Call[] = [
  ...session,
  ...reference,
  ...uploads,
  ...acrossKinds,
  ...(Object.entries(KINDS) as [KindName, Kind][]).flatMap(([kind, traits]) => [
    ...products(kind, traits),
    ...episodes(kind, traits),
  ]),
];
