import { grants } from '~/db/schema/access';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';
import { heard, listened } from './listened';
import { SUBSCRIBER_ROWS } from './subscriber-rows';

type Stage = {
  runtime: Runtime;
  /** The people with access to the show: all callers. */
  listeners: { id: number }[];
  show: { id: number };
  /** A public episode. */
  episode: { id: number };
};

/** The rows of the authorization matrix about shows that listeners follow and hear. */
export async function listenerRows({ runtime, listeners, show, episode }: Stage) {
  const now = runtime.now();
  const follow = { productId: show.id, source: 'follow' as const, startsAt: now };
  await runtime.db.insert(grants).values(listeners.map(({ id }) => ({ ...follow, userId: id })));
  const ofShow = () => ({ productId: show.id });
  return {
    ...SUBSCRIBER_ROWS,
    'feeds.heardShow': [['users', ofShow]],
    'feeds.firstToHear': [['users', ofShow]],
    'feeds.privateLinks': [['users', ofShow]],
    'feeds.replaceLink': [['users', () => ({ ...ofShow(), app: 'castro' })]],
    'feeds.creatorsLink': [['users', ofShow]],
    'feeds.endCreatorsLink': [['users', ofShow]],
    'feeds.follow': [['users', ofShow]],
    'feeds.requestFollow': [['everyone', () => ({ ...ofShow(), email: 'somebody@mail.example' })]],
    'feeds.unfollow': [['users', ofShow]],
    'feeds.episodes': [['users', () => ({})]],
    'listening.unfinished': [['users']],
    'listening.progress': [['users', () => ({ episodeIds: [episode.id] })]],
    'listening.position': [['everyone', () => episode]],
    'listening.savePosition': [['users', () => ({ id: episode.id, seconds: 12 })]],
    'listening.record': [['everyone', () => listened(runtime, { id: episode.id, session: 'matrix' })]],
    'listening.countMinutes': [['everyone', () => heard(runtime, { id: episode.id, session: 'matrix' })]],
    'pages.embeddedEpisode': [['everyone', () => ({ id: episode.id })]],
    'pages.embeddedProduct': [['everyone', () => ({ id: show.id })]],
  } satisfies Record<string, [rule: Rule, input?: () => Input][]>;
}
