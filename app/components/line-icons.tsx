import type { ReactNode } from 'react';

/** Outline icons. They are decorative: a text or an aria-label always accompanies them. */
export function Line({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const MenuIcon = () => (
  <Line>
    <path d="M4 7h16M4 12h16M4 17h16" />
  </Line>
);

export const HomeIcon = () => (
  <Line>
    <path d="M4 11.5 12 4.5l8 7V19a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1z" />
  </Line>
);
export const ProductsIcon = () => (
  <Line>
    <rect x="9" y="3.5" width="6" height="11" rx="3" />
    <path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3" />
  </Line>
);
export const SeriesIcon = () => (
  <Line>
    <path d="M4 6.5h10M4 12h10M4 17.5h6M17.5 8v8.5M17.5 8l3 1.2" />
    <circle cx="15.8" cy="17" r="1.8" />
  </Line>
);
export const ChartIcon = () => (
  <Line>
    <path d="M4 4v15a1 1 0 0 0 1 1h15M8 15.5l4-5 3.5 3L20 7" />
  </Line>
);
export const PeopleIcon = () => (
  <Line>
    <circle cx="9" cy="8" r="3.5" />
    <path d="M2.5 20a6.5 6.5 0 0 1 13 0M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5" />
  </Line>
);

export const MailIcon = () => (
  <Line>
    <rect x="3" y="5" width="18" height="14" rx="2" />
    <path d="m3.5 7 8.5 6 8.5-6" />
  </Line>
);

export const EditIcon = () => (
  <Line>
    <path d="M4 20h4L19 9l-4-4L4 16v4z" />
    <path d="m13.5 6.5 4 4" />
  </Line>
);
export const SettingsIcon = () => (
  <Line>
    <path d="M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3" />
    <circle cx="15" cy="7" r="2" />
    <circle cx="9" cy="12" r="2" />
    <circle cx="15" cy="17" r="2" />
  </Line>
);
export const CalendarIcon = () => (
  <Line>
    <rect x="4" y="5.5" width="16" height="14" rx="2" />
    <path d="M4 10h16M8.5 3.5v4M15.5 3.5v4" />
  </Line>
);
export const ConsoleIcon = () => (
  <Line>
    <rect x="3.5" y="5" width="17" height="14" rx="2" />
    <path d="m7.5 9.5 2.5 2.5-2.5 2.5M12.5 15h4" />
  </Line>
);
export const HeartIcon = () => (
  <Line>
    <path d="M12 19.5 5 12.6a4.4 4.4 0 0 1 6.2-6.2l.8.8.8-.8a4.4 4.4 0 0 1 6.2 6.2z" />
  </Line>
);
export const InsertionIcon = () => (
  <Line>
    <path d="M4 12h3.5M16.5 12H20M10 6.5v11M14 6.5v11M12 3v2.5M12 18.5V21" />
  </Line>
);
export const PageIcon = () => (
  <Line>
    <circle cx="12" cy="9" r="3.2" />
    <path d="M5.5 19.5a6.6 6.6 0 0 1 13 0" />
  </Line>
);
export const ExternalLinkIcon = () => (
  <Line>
    <path d="M14 5h5v5M19 5l-8 8M17 14v4a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h4" />
  </Line>
);
export const LanguageIcon = () => (
  <Line>
    <circle cx="12" cy="12" r="8.2" />
    <path d="M3.8 12h16.4M12 3.8c2.4 2.4 3.4 5.2 3.4 8.200s-1 5.8-3.4 8.200c-2.4-2.4-3.4-5.2-3.4-8.200s1-5.8 3.4-8.200z" />
  </Line>
);
export const LogOutIcon = () => (
  <Line>
    <path d="M10 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h4M15 8.5 18.5 12 15 15.500M18 12h-8" />
  </Line>
);
export const PlusIcon = () => (
  <Line>
    <path d="M12 5.500v13M5.5 12h13" />
  </Line>
);
export const ChevronDownIcon = () => (
  <Line>
    <path d="m8 10 4 4 4-4" />
  </Line>
);
export const SearchIcon = () => (
  <Line>
    <circle cx="11" cy="11" r="5.8" />
    <path d="m15.5 15.5 4 4" />
  </Line>
);
export const UploadIcon = () => (
  <Line>
    <path d="M12 15.500V5M7.5 9 12 4.5 16.5 9M5 15.500V18a1.5 1.5 0 0 0 1.5 1.500h11A1.5 1.5 0 0 0 19 18v-2.5" />
  </Line>
);
export const AlertIcon = () => (
  <Line>
    <path d="M12 8.500v4.500M12 16.200v.1M12 4 3.5 19h17z" />
  </Line>
);
export const CookieIcon = () => (
  <Line>
    <path d="M12 4a8 8 0 1 0 8 8 3 3 0 0 1-3.500-3A3 3 0 0 1 12 4z" />
    <path d="M9 10.500v.1M10 15v.1M14.500 14.500v.1" />
  </Line>
);
export const DoneIcon = () => (
  <Line>
    <circle cx="12" cy="12" r="8" />
    <path d="m8.500 12 2.500 2.500 4.500-5" />
  </Line>
);
export const CircleIcon = () => (
  <Line>
    <circle cx="12" cy="12" r="8" />
  </Line>
);
export const PictureIcon = () => (
  <Line>
    <rect x="4" y="5.5" width="16" height="13" rx="2" />
    <path d="m4.500 16 4.500-4 3.500 3 2.500-2 4.500 3.500M15.500 9.500v.1" />
  </Line>
);
export const ButtonIcon = () => (
  <Line>
    <rect x="3.500" y="8" width="17" height="8" rx="3" />
    <path d="M8 12h8" />
  </Line>
);
export const DividerIcon = () => (
  <Line>
    <path d="M4 12h16M7 7h10M7 17h10" />
  </Line>
);
export const PaidPartIcon = () => (
  <Line>
    <rect x="6" y="11" width="12" height="8.500" rx="2" />
    <path d="M8.500 11V8a3.500 3.500 0 0 1 7 0v3" />
  </Line>
);
export const LinkIcon = () => (
  <Line>
    <path d="M10 14a4.5 4.5 0 0 0 6.4 0l2.8-2.8a4.5 4.5 0 0 0-6.4-6.4L11.5 6" />
    <path d="M14 10a4.5 4.5 0 0 0-6.4 0l-2.8 2.8a4.5 4.5 0 0 0 6.4 6.4l1.3-1.2" />
  </Line>
);
export const MoneyIcon = () => (
  <Line>
    <rect x="3.5" y="6.5" width="17" height="12.5" rx="2" />
    <path d="M3.500 10.500h17M15.500 15h2" />
  </Line>
);
export const TagIcon = () => (
  <Line>
    <path d="M4.500 12V5.500a1 1 0 0 1 1-1H12l7.500 7.500-7.500 7.500z" />
    <path d="M8.500 8.500v.1" />
  </Line>
);
