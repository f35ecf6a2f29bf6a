import type { Translate } from '~/locales/translate';
import type { RoleAbility } from '~/server/policy/roles';
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
  return [
    ...newEpisodes({ studio, may, paths, t }),
    ...page('newShow', paths.createProduct, may('product.manage')),
    ...page('home', paths.dashboard),
    ...page('shows', paths.products, creator !== null),
    ...page('calendar', paths.calendar, may('episode.read')),
    ...page('promos', paths.allPromotions, may('episode.read')),
    ...page('creatorPage', paths.creatorPage, creator === null || may('creator.manage')),
    ...page('donations', creator && paths.donors(creator.id), creator !== null && may('creator.readDonations')),
    ...page('coupons', paths.coupons, may('creator.readCoupons')),
    ...page('money', paths.money, may('creator.readPayouts')),
    ...page('team', paths.team, creator !== null),
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
