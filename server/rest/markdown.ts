import type { Field, ReadableCall } from './reading';
import { readable } from './reading';

const ACCESS: Record<ReadableCall['access'], string> = {
  none: 'nobody has to be logged in; the header is ignored',
  optional: 'with or without a token',
  auth: 'with a token',
  owner: 'with the token of its owner; for anybody else it is not there (404)',
};

const INTRO = `# The REST API

Made from the table that the adapter runs on (server/rest/table.ts): \`npx vitest run --project unit tests/rest-document.test.ts -u\`
writes it anew. The same stands at \`/api/docs\`, and as OpenAPI 3.1 at \`/api/schema.json\`.

- The last slash of a path may be left out. Bodies are JSON, \`application/x-www-form-urlencoded\` or \`multipart/form-data\`.
- A log-in gives a \`key\`; calls carry it as \`Authorization: Token <key>\`. Cookies never count.
- Ids are integers, times ISO 8601 in UTC, amounts decimal strings such as \`"4.99"\` beside a \`currency\`.
- Lists have pages: \`{"count", "next", "previous", "results"}\`; \`page\` counts from 1, \`page_size\` is at most 100.
- Errors: 400 \`{"field": ["sentence"], "non_field_errors": ["sentence"]}\`; otherwise \`{"detail": "sentence"}\`, with a \`code\` for
  403 and 409, \`Retry-After\` for 429 and a \`request_id\` for 500. Sentences are in the language of \`Accept-Language\`, else the user's,
  else English.
- Every answer carries \`X-Request-Id\`.
`;

/** docs/rest.md. */
export function restDocument(): string {
  const { chapters, objects } = readable('');
  const calls = chapters.map(({ title, calls }) => `## ${title}\n\n${calls.map(callText).join('\n')}`);
  const shapes = objects.map(({ name, fields }) => `### ${name}\n\n${fieldTable(fields, false)}`);
  return `${INTRO}\n${calls.join('\n')}\n## Objects\n\n${shapes.join('\n')}`;
}

function callText({ method, path, about, access, query, body, answers }: ReadableCall): string {
  const parts = [
    `### ${method} ${path}\n\n${about}\n\nAccess: ${ACCESS[access]}. Answer: ${answers.join(', or ')}.\n`,
    ...(query.length > 0 ? [`Query:\n\n${fieldTable(query, true)}`] : []),
    ...(body.length > 0 ? [`Body:\n\n${fieldTable(body, true)}`] : []),
  ];
  return parts.join('\n');
}

function fieldTable(fields: Field[], showsRequired: boolean): string {
  const rows = fields.map(({ name, type, required }) => {
    const must = showsRequired && required ? ', required' : '';
    return `| \`${name}\` | ${type.replaceAll('|', '\\|')}${must} |`;
  });
  return `| field | type |\n|---|---|\n${rows.join('\n')}\n`;
}
