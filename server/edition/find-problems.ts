import { unescapeHtml } from '../base/html';
import { splitAtFields } from '../base/merge-fields';
import { EDITION_LIMITS } from '../limits/editions';
import { type Block, type Edition, MERGE_FIELDS } from './model';
import { renderEmail } from './render-email';

/** What is wrong with an edition before it is sent. An `error` keeps it from being sent. */
export type Problem = {
  code:
    | 'no_subject'
    | 'long_subject'
    | 'capitals'
    | 'exclamations'
    | 'false_reply'
    | 'no_content'
    | 'no_footer'
    | 'no_alt'
    | 'no_address'
    | 'sample_address'
    | 'no_episode'
    | 'no_donations'
    | 'unknown_field'
    | 'no_fallback'
    | 'large'
    | 'too_large';
  severity: 'error' | 'warning';
  /** What the text names: an address, a field, a label or a number of kilobytes. */
  of?: string;
};

const error = (code: Problem['code'], of?: string): Problem => ({
  code,
  severity: 'error',
  ...(of !== undefined && { of }),
});
const warning = (code: Problem['code'], of?: string): Problem => ({ ...error(code, of), severity: 'warning' });

/**
 * Everything that the edition itself shows: subject, footer, pictures, links, fields, and the size of the larger part.
 * Whether addresses answer is checked elsewhere.
 */
export function findProblems(edition: Edition): Problem[] {
  const { title, preheader, blocks, publication } = edition;
  const texts = [title, preheader, ...blocks.map((block) => (block.kind === 'text' ? block.html : ''))];
  const fields = unknownFields(texts);
  return [
    ...subjectProblems(title),
    ...(blocks.every(({ kind }) => kind === 'free_end') ? [error('no_content')] : []),
    ...(publication.footer.trim() === '' ? [error('no_footer')] : []),
    ...blocks.flatMap((block) => blockProblems(block, edition)),
    ...fields.map((field) => warning('unknown_field', field)),
    ...(texts.some((text) => WITHOUT_FALLBACK.test(text)) ? [warning('no_fallback', '{{name}}')] : []),
    ...sizeProblems(edition),
  ];
}

/** A small list on purpose: each of these makes filters of large providers suspicious, and readers too. */
function subjectProblems(subject: string): Problem[] {
  const letters = subject.replace(/\{\{[^}]*\}\}|[^\p{L}]/gu, '');
  const isShouting = letters.length > 3 && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
  return [
    ...(subject.trim() === '' ? [error('no_subject')] : []),
    ...(subject.length > EDITION_LIMITS.titleLength ? [error('long_subject', String(EDITION_LIMITS.titleLength))] : []),
    ...(isShouting ? [warning('capitals')] : []),
    ...((subject.match(/!/g)?.length ?? 0) > MAX_EXCLAMATIONS ? [warning('exclamations')] : []),
    ...(/^\s*(?:re|rv|fwd?|aw|tr)\s*:/i.test(subject) ? [warning('false_reply')] : []),
  ];
}

const MAX_EXCLAMATIONS = 2;

function blockProblems(block: Block, { links, episodes }: Edition): Problem[] {
  if (block.kind === 'picture') return block.alt ? [] : [warning('no_alt', block.src)];
  if (block.kind === 'episode') return episodes.has(block.id) ? [] : [error('no_episode', String(block.id))];
  if (block.kind === 'text') return hrefsOf(block.html).flatMap(addressProblems);
  if (block.kind !== 'button') return [];
  if (block.action === 'donate' && links.donate === null) return [warning('no_donations')];
  if (block.action !== 'custom') return [];
  return block.href ? addressProblems(block.href) : [error('no_address', block.label)];
}

/** The addresses of all links of a content, for a check whether they answer. */
export function addressesOf(blocks: Block[]): string[] {
  const all = blocks.flatMap((block) =>
    block.kind === 'text' ? hrefsOf(block.html) : block.kind === 'button' && block.href ? [block.href] : [],
  );
  return [...new Set(all)].filter((address) => /^https?:/i.test(address));
}

const hrefsOf = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => unescapeHtml(href!));

/** Reserved for examples (RFC 2606), and hosts that only the writer's computer knows. */
const SAMPLE = /^(?:.*\.)?(?:example\.(?:com|net|org)|localhost|invalid)$/i;

function addressProblems(address: string): Problem[] {
  if (!URL.canParse(address)) return [error('no_address', address)];
  return SAMPLE.test(new URL(address).hostname) ? [warning('sample_address', address)] : [];
}

const WITHOUT_FALLBACK = /\{\{\s*name\s*(?:\|\s*)?\}\}/i;

/** `{{nombre}}` stays as text, because nobody fills it in. */
function unknownFields(texts: string[]): string[] {
  const rest = texts.flatMap((text) => splitAtFields(text, MERGE_FIELDS).filter((part) => typeof part === 'string'));
  return [...new Set(rest.flatMap((text) => text.match(/\{\{[^{}]{0,60}\}\}/g) ?? []))];
}

function sizeProblems(edition: Edition): Problem[] {
  const bytes = Math.max(renderEmail(edition, 'free').bytes, renderEmail(edition, 'paid').bytes);
  const kilobytes = String(Math.ceil(bytes / 1024));
  if (bytes > EDITION_LIMITS.maxBytes) return [error('too_large', kilobytes)];
  return bytes >= EDITION_LIMITS.warnedBytes ? [warning('large', kilobytes)] : [];
}
