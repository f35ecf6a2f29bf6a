import type { ReactNode } from 'react';

const FILL = { fill: 'currentColor' };
const LINES = { fill: 'none', stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round' as const };

/** Icons are decorative: a text or an aria-label always accompanies them. */
function Icon({ children, filled = true }: { children: ReactNode; filled?: boolean }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false" {...(filled ? FILL : LINES)}>
      {children}
    </svg>
  );
}

export const PlayIcon = () => (
  <Icon>
    <path d="M7 4.6c0-1 1.1-1.7 2-1.1l11 7.3c.8.6.8 1.8 0 2.4L9 20.5c-.9.6-2 0-2-1.1z" />
  </Icon>
);
export const PauseIcon = () => (
  <Icon>
    <rect x="5.5" y="4" width="4.5" height="16" rx="1.2" />
    <rect x="14" y="4" width="4.5" height="16" rx="1.2" />
  </Icon>
);
export const PreviousIcon = () => (
  <Icon>
    <rect x="4" y="5" width="2.5" height="14" rx="1" />
    <path d="M19 6.2c0-.9-1-1.4-1.7-.9l-8.1 5.9a1 1 0 0 0 0 1.6l8.1 5.9c.7.5 1.7 0 1.7-.9z" />
  </Icon>
);
export const NextIcon = () => (
  <Icon>
    <rect x="17.5" y="5" width="2.5" height="14" rx="1" />
    <path d="M5 6.2c0-.9 1-1.4 1.7-.9l8.1 5.9a1 1 0 0 1 0 1.6l-8.1 5.9c-.7.5-1.7 0-1.7-.9z" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon filled={false}>
    <path d="M6 6l12 12M18 6L6 18" />
  </Icon>
);
export const VolumeIcon = () => (
  <Icon filled={false}>
    <path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z" fill="currentColor" strokeLinejoin="round" />
    <path d="M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11" />
  </Icon>
);
export const LockIcon = () => (
  <Icon filled={false}>
    <rect x="5" y="11" width="14" height="9" rx="2" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3" />
  </Icon>
);
export const MoreIcon = () => (
  <Icon>
    <circle cx="5" cy="12" r="1.9" />
    <circle cx="12" cy="12" r="1.9" />
    <circle cx="19" cy="12" r="1.9" />
  </Icon>
);
export const FeedIcon = () => (
  <Icon filled={false}>
    <path d="M5 11a8 8 0 0 1 8 8M5 5a14 14 0 0 1 14 14" />
    <circle cx="6" cy="18" r="1.5" fill="currentColor" />
  </Icon>
);

export const ShareIcon = () => (
  <Icon filled={false}>
    <path d="M12 15V4M7.5 8.5 12 4l4.5 4.5M5 13v6h14v-6" strokeLinejoin="round" />
  </Icon>
);
export const SearchIcon = () => (
  <Icon filled={false}>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="M15.5 15.5L21 21" />
  </Icon>
);

/** The Altavoz logo: a loudspeaker with sound waves. */
export const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <circle cx="11" cy="16" r="7" fill="currentColor" />
    <path
      d="M21 8.5a10 10 0 0 1 0 15M25.5 4.5a16 16 0 0 1 0 23"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
    />
  </svg>
);

/** An arrow around a number of seconds. */
const JumpIcon = ({ seconds, flip = false }: { seconds: number; flip?: boolean }) => (
  <Icon filled={false}>
    <g transform={flip ? 'matrix(-1 0 0 1 24 0)' : undefined}>
      <path d="M12 4a8 8 0 1 1-7.4 5M12 4L8.5 1.2M12 4L8.5 6.8" />
    </g>
    <text x="12" y="15.2" textAnchor="middle" fontSize="8.5" fontWeight="700" fill="currentColor" stroke="none">
      {seconds}
    </text>
  </Icon>
);
export const BackIcon = ({ seconds }: { seconds: number }) => <JumpIcon seconds={seconds} />;
export const ForwardIcon = ({ seconds }: { seconds: number }) => <JumpIcon seconds={seconds} flip />;
export const CollapseIcon = () => (
  <Icon filled={false}>
    <path d="M5 9l7 7 7-7" strokeLinejoin="round" />
  </Icon>
);
