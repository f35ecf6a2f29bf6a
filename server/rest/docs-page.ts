import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { type CallDescription, describeApi, type Field } from './api-description';

/** Uses the colours of app/styles/tokens.css. */
const STYLE = `
:root { color-scheme: light dark; --opened: #fbfaf8; --card: #ffffff; --ink: #15131d; --soft: #645f73; --line: #e5e0d8; --accent: #a92f1e }
@media (prefers-color-scheme: dark) { :root { --opened: #15131d; --card: #262331; --ink: #fbfaf8; --soft: #b8b4c4; --line: #3a3648; --accent: #ff9a87 } }
body { margin: 0; background: var(--opened); color: var(--ink); font: 16px/1.6 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1rem 5rem }
h1 { font-size: 2rem; margin: 0 0 .5rem } h2 { margin: 3rem 0 1rem } h3 { font-size: 1rem; margin: 0 0 .25rem; overflow-wrap: anywhere }
a { color: var(--accent) } code { font: .9em ui-monospace, monospace } .soft { color: var(--soft); margin: 0 0 .5rem }
article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem; margin: 0 0 1rem }
.method { display: inline-block; min-width: 4rem; color: var(--accent); font-weight: 700 }
table { width: 100%; border-collapse: collapse; font-size: .9rem; margin: .5rem 0 0 } caption { text-align: left; color: var(--soft) }
th, td { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0; border-top: 1px solid var(--line); font-weight: normal; overflow-wrap: anywhere } th { width: 35% }
nav ul { columns: 16rem; padding: 0; list-style: none }
`;

/** Allows only the page's own style: no scripts, images or external resources. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const ACCESS: Record<CallDescription['access'], string> = {
  none: 'No token',
  optional: 'Token optional',
  auth: 'Token',
  owner: 'Token of the owner',
};

/** `/api/docs`: the OpenAPI document as a page. */
export function docsPage(appUrl: string): string {
  const { chapters, objects } = describeApi(appUrl);
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Altavoz REST API</title><style>${raw(STYLE)}</style></head>
<body><main>
<h1>Altavoz REST API</h1>
<p>Send <code>Authorization: Token &lt;key&gt;</code> with the <code>key</code> from the login response. Bodies are JSON or forms. The trailing slash of a path is optional. Times are in UTC, amounts are decimal strings. Lists are returned as <code>{count, next, previous, results}</code>, validation errors as <code>{field: [message]}</code>, other errors as <code>{detail}</code>.</p>
<p><a href="/api/schema.json">OpenAPI 3.1 document</a></p>
<nav aria-label="Chapters"><ul>${[...chapters.map(({ title }) => title), 'Objects'].map((title) => html`<li><a href="#${anchor(title)}">${title}</a></li>`)}</ul></nav>
${chapters.map(({ title, calls }) => html`<h2 id="${anchor(title)}">${title}</h2>${calls.map(callCard)}`)}
<h2 id="objects">Objects</h2>
${objects.map(({ name, fields }) => html`<article id="${anchor(name)}"><h3>${name}</h3>${fieldTable('', fields)}</article>`)}
</main></body>
</html>`;
  return String(page);
}

const anchor = (title: string) => title.toLowerCase().replace(/[^a-z]+/g, '-');

/** Renders text in backticks as code. */
const withCode = (text: string) => text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));

const callCard = ({ method, path, summary, access, query, body, responses }: CallDescription) => html`<article>
<h3><code><span class="method">${method}</span> ${path}</code></h3>
<p class="soft">${withCode(summary)}<br>${ACCESS[access]}. Response: ${responses.join(', or ')}.</p>
${query.length > 0 ? fieldTable('Query', query) : ''}${body.length > 0 ? fieldTable('Body', body) : ''}
</article>`;

const fieldTable = (caption: string, fields: Field[]) => html`<table>${caption && html`<caption>${caption}</caption>`}
${fields.map(({ name, type, required }) => html`<tr><th scope="row"><code>${name}</code></th><td>${type}${caption && required ? ', required' : ''}</td></tr>`)}
</table>`;
