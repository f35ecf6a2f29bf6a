import { createHash } from 'node:crypto';
import type { Language } from '~/locales/languages';
import { COLLECTIONS, type Collection, type FrontMatter } from './collections';
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
  return { ...file, slug: result.data.slug ?? file.id, data: result.data, body };
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
