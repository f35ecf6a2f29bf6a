/**
 * The text of a script in Markdown as it is read aloud: without marks of headings, lists, quotes and emphasis, with the
 * words of links, and without pictures, comments, code blocks and the properties at the start. Every step reads each line
 * once.
 */
export function plainMarkdown(text: string): string {
  const body = withoutComments(text.replace(/^---\n(?=[\w-]+:)(?:(?!---\n)[^\n]*\n)*---\n/, ''));
  const lines: string[] = [];
  let isCode = false;
  for (const line of body.split('\n')) {
    const isFence = /^\s{0,3}(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    if (!isFence && !isCode) lines.push(withoutInline(withoutBlock(line)));
  }
  return lines.join('\n');
}

function withoutComments(text: string): string {
  let kept = '';
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('<!--', at);
    const end = start === -1 ? -1 : text.indexOf('-->', start);
    if (end === -1) return kept + text.slice(at);
    kept += text.slice(at, start);
    at = end + '-->'.length;
  }
  return kept;
}

/** A rule is an empty line. */
const withoutBlock = (line: string): string =>
  line
    .replace(/^\s{0,3}(?:>\s?)+/, '')
    .replace(/^\s{0,3}(?:[-*_]\s*){3,}$|^\s{0,3}(?:=+|-+)\s*$/, '')
    .replace(/^\s{0,3}#{1,6}\s+/, '')
    .replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, '');

const withoutInline = (line: string): string =>
  line
    .replace(/!\[[^[\]]*\]\([^()\s]*(?:\s"[^"]*")?\)/g, '')
    .replace(/\[([^[\]]+)\](?:\([^()\s]*(?:\s"[^"]*")?\)|\[[^[\]]*\])/g, '$1')
    .replace(/(?<!\\)(\*{1,3}|~~|`{1,3})(?=\S)([^*~`]*[^*~`\s])\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}\\])(_{1,3})(?=\S)([^_]*[^_\s])\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/\\([\\`*_{}[\]()#+.!>-])/g, '$1');
