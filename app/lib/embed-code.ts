import { escapeHtml } from '~/server/base/html';

export const THEMES = ['auto', 'light', 'dark'] as const;
export const SIZES = ['normal', 'compact'] as const;
export const WIDTHS = ['full', 'fixed'] as const;

export type EmbedType = 'episode' | 'product';
export type EmbedChoice = {
  size: (typeof SIZES)[number];
  width: (typeof WIDTHS)[number];
  theme: (typeof THEMES)[number];
};

export const FIRST_CHOICE: EmbedChoice = { size: 'normal', width: 'full', theme: 'auto' };

/** Heights in pixels. The player shows the parts that fit into its frame (embed.css). */
const HEIGHTS = {
  episode: { normal: 180, compact: 120 },
  product: { normal: 450, compact: 300 },
} as const;
const FIXED_WIDTH = 600;

export type EmbedFrame = { src: string; width: string; height: number };

/** @param url the player's URL, without a query */
export function embedFrame(url: string, type: EmbedType, { size, width, theme }: EmbedChoice): EmbedFrame {
  return {
    src: theme === 'auto' ? url : `${url}?theme=${theme}`,
    width: width === 'full' ? '100%' : String(FIXED_WIDTH),
    height: HEIGHTS[type][size],
  };
}

/** The HTML for another site's page. `title` names the frame for screen readers. */
export function embedCode({ src, width, height }: EmbedFrame, title: string): string {
  const attributes = { src, width, height: String(height), title, loading: 'lazy', style: 'border:0;max-width:100%' };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escapeHtml(value)}"`);
  return `<iframe ${written.join(' ')}></iframe>`;
}
