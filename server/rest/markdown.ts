import type { CallDescription, Field } from './api-description';
import { describeApi } from './api-description';

const ACCESS: Record<CallDescription['access'], string> = {
  none: 'no token; the header is ignored',
  optional: 'token optional',
  auth: 'token required',
  owner: 'token of the owner required; 404 for everyone else',
};

const INTRO = `# The REST API

Generated from the table that the API runs on (server/rest/table.ts). To update it, run
\`npx vitest run --project unit tests/rest/document.test.ts -u\`. The server shows the same at \`/api/docs\`, and as OpenAPI 3.1 at
\`/api/schema.json\`.

- The trailing slash of a path is optional. Bodies are JSON, \`application/x-www-form-urlencoded\` or \`multipart/form-data\`.
- Logging in returns a \`key\`; send it as \`Authorization: Token <key>\`. Cookies are ignored, except that logging in sets \`device\`: send it at the next login, so that an attacker who guesses passwords can't slow you down.
- IDs are integers, times are ISO 8601 in UTC, amounts are decimal strings such as \`"4.99"\` with a \`currency\` field.
- Lists are paged: \`{"count", "next", "previous", "results"}\`; \`page\` counts from 1, \`page_size\` is at most 100.
- Errors: 400 is \`{"field": ["message"], "non_field_errors": ["message"]}\`; others are \`{"detail": "message"}\`, with a \`code\`
  for 403 and 409, \`Retry-After\` for 429 and a \`request_id\` for 500. Messages are in the language of \`Accept-Language\`, then the
  user's, then English.
- Every response has \`X-Request-Id\`.
`;

/** The text of docs/rest.md. */
export function restDocument(): string {
  const { chapters, objects } = describeApi('');
  const calls = chapters.map(({ title, calls }) => `## ${title}\n\n${calls.map(callText).join('\n')}`);
  const shapes = objects.map(({ name, fields }) => `### ${name}\n\n${fieldTable(fields, false)}`);
  return `${INTRO}\n${calls.join('\n')}\n## Objects\n\n${shapes.join('\n')}`;
}

function callText({ method, path, summary, access, query, body, responses }: CallDescription): string {
  const parts = [
    `### ${method} ${path}\n\n${summary}\n\nAccess: ${ACCESS[access]}. Response: ${responses.join(', or ')}.\n`,
    ...(query.length > 0 ? [`Query:\n\n${fieldTable(query, true)}`] : []),
    ...(body.length > 0 ? [`Body:\n\n${fieldTable(body, true)}`] : []),
  ];
  return parts.join('\n');
}

function fieldTable(fields: Field[], showsRequired: boolean): string {
  const rows = fields.map(({ name, type, required }) => {
    const suffix = showsRequired && required ? ', required' : '';
    return `| \`${name}\` | ${type.replaceAll('|', '\\|')}${suffix} |`;
  });
  return `| field | type |\n|---|---|\n${rows.join('\n')}\n`;
}
