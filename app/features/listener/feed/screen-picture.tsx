import type { Spot } from './taps';

type Place = { x: number; y: number; wide: number; high: number };

const PHONE: Record<Exclude<Spot, 'menu'>, Place> = {
  start: { x: 8, y: 12, wide: 14, high: 10 },
  end: { x: 50, y: 12, wide: 14, high: 10 },
  tab: { x: 43, y: 110, wide: 17, high: 12 },
  field: { x: 8, y: 28, wide: 56, high: 11 },
  item: { x: 8, y: 62, wide: 56, high: 12 },
  dialog: { x: 12, y: 46, wide: 48, high: 38 },
  button: { x: 18, y: 66, wide: 36, high: 13 },
};
/** In the menu bar of a computer. */
const MENU: Place = { x: 26, y: 4, wide: 18, high: 10 };

/** A screen with the place of a tap. The text beside it says the same. */
export function ScreenPicture({ spot, isComputer }: { spot: Spot; isComputer: boolean }) {
  const [wide, high] = isComputer ? [144, 96] : [72, 130];
  const { x, y, ...size } = spot === 'menu' ? MENU : PHONE[spot];
  const [left, top] = isComputer && spot !== 'menu' ? [x + 36, y - 22] : [x, y];
  return (
    <svg className="tap" viewBox={`0 0 ${wide} ${high}`} width={wide} height={high} aria-hidden="true">
      <rect className="frame" x="1" y="1" width={wide - 2} height={high - 2} rx={isComputer ? 6 : 11} />
      {isComputer ? <ComputerParts /> : <PhoneParts />}
      <rect className="place" x={left} y={top} width={size.wide} height={size.high} rx="4" />
      {spot === 'dialog' && <DialogParts left={left} top={top} {...size} />}
    </svg>
  );
}

const ROWS = [32, 47, 62, 77, 92];

function PhoneParts() {
  return (
    <g className="part">
      {ROWS.map((y) => (
        <rect key={y} x="10" y={y + 2} width="52" height="8" rx="2" />
      ))}
      {[10, 28, 46].map((x) => (
        <circle key={x} cx={x + 5.5} cy="116" r="4" />
      ))}
      <rect x="26" y="14" width="20" height="5" rx="2" />
    </g>
  );
}

function ComputerParts() {
  return (
    <g className="part">
      {[8, 30, 52, 74].map((x) => (
        <rect key={x} x={x} y="7" width="12" height="4" rx="1" />
      ))}
      <rect x="8" y="22" width="26" height="66" rx="3" />
      {[22, 39, 56, 73].map((y) => (
        <rect key={y} x="42" y={y} width="92" height="11" rx="3" />
      ))}
    </g>
  );
}

function DialogParts({ left, top, wide, high }: { left: number; top: number; wide: number; high: number }) {
  return (
    <g className="inner">
      <rect x={left + 5} y={top + 8} width={wide - 10} height="9" rx="2" />
      <rect className="confirm" x={left + wide - 25} y={top + high - 14} width="20" height="9" rx="4" />
    </g>
  );
}
