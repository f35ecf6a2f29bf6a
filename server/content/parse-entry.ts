import { createHash } from 'node:crypto';
import type { Language } from '~/locales/languages';
import { isLegalPage, LEGAL_PAGES } from '../limits/content';
import { COLLECTIONS, type Collection, type FrontMatter } from './collections';
import { problemsOfPlaceholders } from './placeholders';
import { plainTextOf, type RenderTools, renderMarkdown } from './render-markdown';

export type ContentFile = { collection: Collection; language: Language; id: string; file: string; content: string };
/** A file whose front matter is valid, before its links are known. */
export type ParsedFile = Omit<ContentFile, 'content'> & { slug: string; data: FrontMatter<Collection>; body: string };

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Neither XML nor the database takes them. */
const CONTROL_CHARACTER = /[^\P{Cc}\t\n\r]/u;

/** Splits a file into its front matter and its text. @throws Error that says what is wrong */
export async function parseFile({ content, ...file }: ContentFile): Promise<ParsedFile> {
  const text = content.replace(/^\uFEFF/, '');
  if (CONTROL_CHARACTER.test(text)) throw new Error('the file has a control character');
  const found = FRONT_MATTER.exec(text);
  if (!found) throw new Error('the file must begin with front matter between two lines of ---');
  const { readYaml } = await import('./read-yaml');
  const values = readYaml(found[1]!);
  const result = COLLECTIONS[file.collection].safeParse(values ?? {});
  if (!result.success) throw new Error(result.error.issues.map(describeIssue).join('; '));
  const body = text.slice(found[0].length).trim();
  if (body === '') throw new Error('the file has no text below its front matter');
  if (file.collection === 'legal') assertLegal(file.id, { front: found[1]!, body });
  const { data } = result;
  return { ...file, slug: ('slug' in data && data.slug) || file.id, data, body };
}

/** A legal text with a gap must not replace one without: any mistake leaves the file out. */
function assertLegal(id: string, { front, body }: { front: string; body: string }): void {
  if (!isLegalPage(id)) throw new Error(`legal texts are ${LEGAL_PAGES.join(', ')}; others belong into pages`);
  const problems = problemsOfPlaceholders(body);
  if (/\{\{|\}\}/.test(front)) problems.push('placeholders belong below the front matter');
  if (problems.length > 0) throw new Error(problems.join('; '));
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return path.length > 0 ? `${path.join('.')}: ${message}` : message;
}

/** The text as HTML, and what is wrong with its links and pictures. */
export async function renderFile({ body, ...file }: ParsedFile, tools: RenderTools) {
  const { html, headings, problems } = await renderMarkdown(body, tools);
  const text = plainTextOf(html);
  const { collection, id, language, slug, data } = file;
  const hash = createHash('sha256')
    .update(JSON.stringify([language, data.title, data.description, text]))
    .digest('hex');
  return { entry: { collection, id, language, slug, data, html, headings, text, hash }, problems };
}
