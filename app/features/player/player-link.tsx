import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';

/** A link of the player: a page of this host opens in place, another host in a tab of its own, so that the sound goes on. */
export function PlayerLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  // the bar is never rendered on the server
  const { origin } = window.location;
  const here = to.startsWith('/') ? to : to.startsWith(`${origin}/`) ? to.slice(origin.length) : null;
  if (here) {
    return (
      <Link to={here} className={className}>
        {children}
      </Link>
    );
  }
  return (
    <a href={to} className={className} {...(to === '#' ? {} : { target: '_blank', rel: 'noopener' })}>
      {children}
    </a>
  );
}
