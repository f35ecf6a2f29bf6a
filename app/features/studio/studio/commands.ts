import type { Translate } from '~/locales/translate';
import type { RoleAbility } from '~/server/policy/roles';
import { STUDIO_PAGE_NAMES, STUDIO_PAGES, type StudioPage } from '~/server/policy/studio-pages';
import type { Paths } from '../../../lib/paths';
import type { Studio } from '../../../lib/studio-context';

/** `to`: null opens the list of shortcuts. `isExternal`: opens another tab. */
export type Command = {
  id: string;
  label: string;
  detail?: string;
  picture?: string;
  to: string | null;
  isExternal?: boolean;
};
export type CommandGroup = { name: string; commands: Command[] };

type Facts = { studio: Studio; may: (ability: RoleAbility) => boolean; paths: Paths; t: Translate };

/** The actions and pages available to the member, in the order of the navigation. */
export function commandsOf({ studio, may, paths, t }: Facts): Command[] {
  const { creator } = studio.user;
  const page = (name: string, to: string | null, isShown = true): Command[] =>
    isShown ? [{ id: name, label: t(`page.${name}`), to }] : [];
  // without a creator page, the user may claim one
  const isOpen = (name: StudioPage) =>
    STUDIO_PAGES[name].may === null || may(STUDIO_PAGES[name].may) || (name === 'creatorPage' && creator === null);
  return [
    ...newEpisodes({ studio, may, paths, t }),
    ...STUDIO_PAGE_NAMES.flatMap((name) => page(name, paths[name], isOpen(name))),
    ...page('donations', creator && paths.donors(creator.id), creator !== null && may('creator.readDonations')),
    ...(creator ? [{ id: 'publicPage', label: t('page.publicPage'), to: creator.url, isExternal: true }] : []),
    ...page('settings', paths.profile),
    ...page('notifications', paths.notifications),
    ...page('security', paths.security),
    ...page('data', paths.ownData),
    ...page('billing', paths.billing),
    ...page('shortcuts', null),
  ];
}

function newEpisodes({ studio: { products }, may, paths, t }: Facts): Command[] {
  if (!may('episode.manage')) return [];
  return products.map((product) => ({
    id: `new-${product.id}`,
    label: t('newEpisode', { name: product.name }),
    to: paths.createEpisode(product),
  }));
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** Commands that contain every word, ignoring case and accents. */
export function matching(commands: Command[], words: string): Command[] {
  const all = plain(words).split(/\s+/).filter(Boolean);
  return commands.filter(({ label }) => all.every((word) => plain(label).includes(word)));
}
