import type { ReactNode } from 'react';
import { Link } from '~/app/lib/router';

/** Opens pages of this host in place and other hosts in a new tab, so that playback continues. */
export function PlayerLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  // `window` is safe: the bar never renders on the server
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
