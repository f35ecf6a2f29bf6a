import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

/** An empty state: one picture, one sentence, one button. */
export function EmptyState({
  picture,
  title,
  children,
  action,
}: {
  picture: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.empty}>
      <div className={classes.picture}>{picture}</div>
      <h2 className={classes.title}>{title}</h2>
      {children && <p className={classes.text}>{children}</p>}
      {action}
    </div>
  );
}

/** A microphone. */
export const MicrophonePicture = () => (
  <svg viewBox="0 0 200 140" aria-hidden="true" focusable="false">
    <circle cx="100" cy="66" r="62" fill="var(--well)" />
    <rect x="80" y="18" width="40" height="66" rx="20" fill="var(--coral-600)" />
    <path d="M80 46h40M80 58h40" stroke="var(--white)" strokeWidth="3" opacity="0.55" />
    <path
      d="M66 60v6a34 34 0 0 0 68 0v-6M100 100v22M80 124h40"
      fill="none"
      stroke="var(--text)"
      strokeWidth="5"
      strokeLinecap="round"
    />
    <path
      d="M40 48v28M28 56v12M160 48v28M172 56v12"
      fill="none"
      stroke="var(--edge)"
      strokeWidth="5"
      strokeLinecap="round"
    />
  </svg>
);

/** A waveform. */
export const EpisodePicture = () => (
  <svg viewBox="0 0 200 140" aria-hidden="true" focusable="false">
    <circle cx="100" cy="70" r="62" fill="var(--well)" />
    <path
      d="M34 70v.1M50 58v24M66 44v52M82 60v20M98 30v80M114 50v40M130 38v64M146 60v20M162 70v.1"
      fill="none"
      stroke="var(--coral-600)"
      strokeWidth="8"
      strokeLinecap="round"
    />
  </svg>
);

/** A profile page. */
export const PagePicture = () => (
  <svg viewBox="0 0 200 140" aria-hidden="true" focusable="false">
    <circle cx="100" cy="70" r="62" fill="var(--well)" />
    <rect x="62" y="22" width="76" height="98" rx="10" fill="var(--surface)" stroke="var(--text)" strokeWidth="4" />
    <circle cx="100" cy="50" r="14" fill="var(--coral-600)" />
    <path d="M80 76h40M86 88h28" stroke="var(--edge)" strokeWidth="5" strokeLinecap="round" />
    <rect x="80" y="98" width="40" height="12" rx="6" fill="var(--coral-600)" />
  </svg>
);

/** A magnifying glass with nothing in it. */
export const NothingFoundPicture = () => (
  <svg viewBox="0 0 200 140" aria-hidden="true" focusable="false">
    <circle cx="100" cy="70" r="62" fill="var(--well)" />
    <circle cx="94" cy="62" r="30" fill="var(--surface)" stroke="var(--text)" strokeWidth="5" />
    <path d="m117 85 24 24" stroke="var(--text)" strokeWidth="8" strokeLinecap="round" />
    <path d="M82 62h24" stroke="var(--coral-600)" strokeWidth="5" strokeLinecap="round" />
  </svg>
);

/** An episode that comes down to a phone. */
export const SavedPicture = () => (
  <svg viewBox="0 0 200 140" aria-hidden="true" focusable="false">
    <circle cx="100" cy="70" r="62" fill="var(--well)" />
    <rect x="70" y="14" width="60" height="112" rx="12" fill="var(--surface)" stroke="var(--text)" strokeWidth="5" />
    <path d="M92 26h16" stroke="var(--edge)" strokeWidth="4" strokeLinecap="round" />
    <path
      d="M100 42v32m-14-13 14 14 14-14"
      fill="none"
      stroke="var(--coral-600)"
      strokeWidth="7"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
    <path
      d="M84 100v.1M92 95v10M100 90v20M108 95v10M116 100v.1"
      fill="none"
      stroke="var(--text)"
      strokeWidth="4"
      strokeLinecap="round"
    />
  </svg>
);
