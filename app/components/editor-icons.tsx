import { Line } from './line-icons';

export const BoldIcon = () => (
  <Line>
    <path d="M7.5 5h5.25a3.4 3.4 0 0 1 0 6.8H7.5zM7.5 11.8h6a3.6 3.6 0 0 1 0 7.2h-6z" strokeWidth="2.4" />
  </Line>
);
export const ItalicIcon = () => (
  <Line>
    <path d="M10.5 5h6.5M7 19h6.5M14 5l-4 14" />
  </Line>
);
export const HeadingIcon = () => (
  <Line>
    <path d="M6.5 5v14M17.5 5v14M6.5 12h11" strokeWidth="2.2" />
  </Line>
);
export const ListIcon = () => (
  <Line>
    <path d="M10 6.5h10M10 12h10M10 17.5h10" />
    <path d="M5 6.5h.01M5 12h.01M5 17.5h.01" strokeWidth="3" />
  </Line>
);
export const NumbersIcon = () => (
  <Line>
    <path d="M11 6.5h9M11 12h9M11 17.5h9" />
    <path d="M4 5.2 5.7 4.3V10M4 15.4a1.6 1.6 0 1 1 2.9.9L4 19.7h3.2" strokeWidth="1.5" />
  </Line>
);
export const QuoteIcon = () => (
  <Line>
    <path d="M9.5 7C6.5 8 5 10.3 5 13.5V17h5v-5H7.2M19 7c-3 1-4.5 3.3-4.5 6.5V17h5v-5h-2.8" />
  </Line>
);
export const UndoIcon = () => (
  <Line>
    <path d="M8.5 5 4.5 9l4 4M4.5 9h9.5a5 5 0 0 1 0 10H9" />
  </Line>
);
export const RedoIcon = () => (
  <Line>
    <path d="m15.5 5 4 4-4 4M19.5 9H10a5 5 0 0 0 0 10h5" />
  </Line>
);
