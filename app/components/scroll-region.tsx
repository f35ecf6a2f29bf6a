import type { ReactNode } from 'react';

type Props = { className?: string; children: ReactNode } & ({ label: string } | { labelledBy: string });

/** A part of a page that scrolls separately, also with the keyboard. */
export function ScrollRegion({ className, children, ...named }: Props) {
  const name = 'label' in named ? { 'aria-label': named.label } : { 'aria-labelledby': named.labelledBy };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1 wants a scrolling region to be reachable
    <section className={className} tabIndex={0} {...name}>
      {children}
    </section>
  );
}
