import sharp from 'sharp';
import { type Random, seededRandom } from './random';

/** Apple asks for 1400 to 3000 pixels. */
const COVER_PIXELS = 1400;
const AVATAR_PIXELS = 640;
const INK = '#15131D';
const PAPER = '#FBFAF8';
const CORAL = '#C93A27';
const CORAL_PALE = '#FFE7E1';
const TEAL = '#0B6665';
const AMBER = '#D98E1F';
const BLUE = '#274F94';

/** Colours that match: background, shapes, accent. */
const SCHEMES = [
  { background: CORAL_PALE, shapes: [CORAL, '#A92F1E', INK], accent: AMBER },
  { background: '#DCEBEA', shapes: [TEAL, '#0A4A4A', INK], accent: CORAL },
  { background: '#F7E7CB', shapes: [AMBER, CORAL, INK], accent: TEAL },
  { background: '#DDE5F3', shapes: [BLUE, INK, TEAL], accent: CORAL },
] as const;
type Scheme = (typeof SCHEMES)[number];

export type CoverMotif = 'waves' | 'bars' | 'hills';

/** A square JPEG for a demo show. It has no text, so it doesn't depend on installed fonts. */
export function drawCover(motif: CoverMotif, seed: string): Promise<Buffer> {
  const random = seededRandom(seed);
  const scheme = random.pick(SCHEMES);
  return render(MOTIFS[motif](random, scheme), scheme.background, COVER_PIXELS);
}

/** A square JPEG with a head and shoulders. */
export function drawAvatar(seed: string): Promise<Buffer> {
  const random = seededRandom(seed);
  const { background, shapes, accent } = random.pick(SCHEMES);
  const skin = random.pick(['#F1C9A5', '#C98A5E', '#8A5536', '#E3AE86']);
  const hair = random.pick([INK, '#5A2E1B', '#3A3648']);
  const cut = random.pick(['M28 62 Q22 22 50 20 Q78 22 72 62 L72 72 L28 72 Z', 'M31 48 Q28 20 51 20 Q73 20 69 48 Z']);
  const drawing = `
    <circle cx="50" cy="46" r="40" fill="${accent}" opacity=".25"/>
    <path d="${cut}" fill="${hair}"/>
    <path d="M8 104 Q12 76 38 74 L62 74 Q88 76 92 104 Z" fill="${shapes[0]}"/>
    <path d="M42 60 h16 v14 q-8 8 -16 0 Z" fill="${skin}"/>
    <ellipse cx="50" cy="46" rx="17" ry="20" fill="${skin}"/>
    <path d="M32 46 Q34 24 54 26 Q68 28 68 46 Q60 42 56 34 Q46 42 32 46 Z" fill="${hair}"/>
    <path d="M43 55 Q50 61 57 55" fill="none" stroke="${INK}" stroke-width="1.6" stroke-linecap="round"/>`;
  return render(drawing, background, AVATAR_PIXELS);
}

/** Each motif draws on a 100 × 100 canvas. */
const MOTIFS: Record<CoverMotif, (random: Random, scheme: Scheme) => string> = { waves, bars, hills };

/** Rings spreading from a corner, like sound from a loudspeaker. */
function waves(random: Random, { shapes, accent }: Scheme): string {
  const [x, y] = random.pick([
    [18, 82],
    [82, 82],
    [18, 18],
  ] as const);
  const rings = Array.from({ length: 9 }, (_, i) => {
    const width = 5.4 - i * 0.42;
    return `<circle cx="${x}" cy="${y}" r="${16 + i * 11}" fill="none" stroke="${shapes[i % 3]}" stroke-width="${width}"/>`;
  });
  return `${rings.join('')}<circle cx="${x}" cy="${y}" r="9" fill="${accent}"/>`;
}

/** A level meter with round ends, mirrored about the centre line. */
function bars(random: Random, { shapes, accent }: Scheme): string {
  const count = 11;
  const columns = Array.from({ length: count }, (_, i) => {
    const swell = Math.sin((Math.PI * (i + 0.5)) / count);
    const height = 14 + swell * 52 * (0.45 + 0.55 * random.next());
    const x = 12 + (i * 76) / count;
    const colour = i === Math.floor(count / 2) ? accent : shapes[i % 2];
    return `<rect x="${x}" y="${50 - height / 2}" width="4.6" height="${height}" rx="2.3" fill="${colour}"/>`;
  });
  return columns.join('');
}

/** Strata under a low sun. */
function hills(random: Random, { shapes, accent }: Scheme): string {
  const strata = Array.from({ length: 5 }, (_, i) => {
    const y = 50 + i * 11;
    const [left, right] = [y - random.integer(4, 14), y + random.integer(-12, 6)];
    const opacity = 0.35 + i * 0.16;
    const path = `M0 ${left} C30 ${left - random.integer(4, 16)} 60 ${right + random.integer(2, 14)} 100 ${right} V100 H0 Z`;
    return `<path d="${path}" fill="${shapes[i % 3]}" opacity="${opacity.toFixed(2)}"/>`;
  });
  const sun = `<circle cx="${random.integer(28, 72)}" cy="38" r="17" fill="${accent}"/>`;
  return `${sun}${strata.join('')}`;
}

function render(drawing: string, background: string, pixels: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 100 100">
    <rect width="100" height="100" fill="${background}"/>${drawing}</svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: PAPER }).jpeg({ quality: 88, mozjpeg: false }).toBuffer();
}
