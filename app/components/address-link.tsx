import type { AnchorHTMLAttributes } from 'react';
import { Link } from '~/app/lib/router';

/**
 * Links to a path on this host without reloading, so that the player keeps playing, or to a URL on another of our
 * hosts, to which the player hands over (`data-our-host`).
 */
export function AddressLink({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  if (href.startsWith('/')) return <Link to={href} {...rest} />;
  return <a href={href} data-our-host {...rest} />;
}
