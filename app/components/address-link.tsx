import { Link } from '@remix-run/react';
import type { AnchorHTMLAttributes } from 'react';

/** A link to a path of this host, which leaves the player playing, or to an address of another one. */
export function AddressLink({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  if (href.startsWith('/')) return <Link to={href} {...rest} />;
  return <a href={href} {...rest} />;
}
