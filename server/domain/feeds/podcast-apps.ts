import { BlockList, isIP } from 'node:net';

/** Podcast apps and the players that they use, by a part of their user agents. The first match counts. */
const APPS: readonly [name: string, agent: RegExp][] = [
  ['apple_podcasts', /^podcasts?\/|^applecoremedia|^balados\/|^podcasti\//i],
  ['overcast', /overcast/i],
  ['pocket_casts', /pocket ?casts|shiftyjelly/i],
  ['castro', /castro/i],
  ['antennapod', /antenna ?pod/i],
  ['podcast_addict', /podcast ?addict/i],
  ['castbox', /castbox/i],
  ['downcast', /downcast/i],
  ['podcast_guru', /podcast ?guru/i],
  ['podverse', /podverse/i],
  ['fountain', /fountain/i],
  ['podbean', /podbean/i],
  ['player_fm', /player ?fm/i],
  ['podcast_republic', /podcast ?republic/i],
  ['gpodder', /gpodder/i],
  ['itunes', /^itunes\//i],
  ['vlc', /\bvlc\b|libvlc/i],
  ['exoplayer', /exoplayer|androidxmedia/i],
  ['firefox', /firefox\//i],
  ['edge', /edg(?:e|a|ios)?\//i],
  ['chrome', /chrome\/|crios\//i],
  ['safari', /safari\//i],
];

/**
 * Apps whose servers fetch episodes for their users, or check and transcribe them: once for all users, from changing
 * addresses. They do not indicate how many people use a link.
 */
const SERVER_AGENTS = /^spotify\/1\.0$|^amazonmusic|amazon music podcast|^deezer podcasters|snipd|podwise|^youtube/i;

/** Networks that contain only servers: Apple's own, and Google's crawlers. */
const SERVER_NETWORKS = new BlockList();
SERVER_NETWORKS.addSubnet('17.0.0.0', 8);
SERVER_NETWORKS.addSubnet('66.249.64.0', 19);

/**
 * The app of a user agent, from a closed list, so that clients can't invent apps: `other` for the rest. Null for a
 * server that fetches for an app's users.
 */
export function appOf({ userAgent, address }: { userAgent: string; address: string }): string | null {
  if (SERVER_AGENTS.test(userAgent) || isServer(address)) return null;
  return APPS.find(([, agent]) => agent.test(userAgent))?.[0] ?? 'other';
}

function isServer(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const version = isIP(plain);
  return version === 4 && SERVER_NETWORKS.check(plain, 'ipv4');
}

/**
 * The listener's network: the /24 of an IPv4 address, whose last part changes within a household's provider, and the
 * /64 of an IPv6 address.
 * @param prefix the key by which downloads distinguish listeners: a whole IPv4 address, or a /64
 */
export const networkOf = (prefix: string): string => prefix.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1');
