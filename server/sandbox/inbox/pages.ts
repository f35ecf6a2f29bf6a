import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { Message, Messages } from './messages';

/** Emails may show images and styles, but never run scripts. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src * data:',
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
const HEADERS = { 'content-security-policy': POLICY, 'cache-control': 'no-store' };

/** The local inbox, without scripts: `/_dev/inbox`, `/_dev/inbox/{id}`, and `/_dev/inbox.json?to=` for tests. */
export function inboxPages(messages: Messages): Hono {
  const recipientOf = (to: string | undefined) => to?.trim() || null;
  return (
    new Hono()
      .get('/_dev/inbox.json', async (c) => {
        const found = await messages.list(recipientOf(c.req.query('to')));
        return c.json({ messages: found.map((message) => ({ ...message, links: linksOf(message) })) }, 200, HEADERS);
      })
      .get('/_dev/inbox', async (c) => {
        const to = recipientOf(c.req.query('to'));
        return c.html(messageList(await messages.list(to), to), 200, HEADERS);
      })
      // ids have no other characters, and Postgres rejects some of them, such as NUL
      .get('/_dev/inbox/:id{[\\w-]+}', async (c) => {
        const message = await messages.find(c.req.param('id'));
        return message ? c.html(messagePage(message), 200, HEADERS) : c.html(notFoundPage(), 404, HEADERS);
      })
  );
}

/** The distinct URLs in a message; those of its text come first. */
export function linksOf({ html: markup, text }: Pick<Message, 'html' | 'text'>): string[] {
  const written = text.match(/https?:\/\/[^\s<>"')\]]+/g) ?? [];
  const linked = [...markup.matchAll(/href="(https?:[^"]+)"/gi)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  return [...new Set([...written, ...linked])];
}

const STYLE = `
  :root { color-scheme: light dark; --opened: #fafafa; --card: #fff; --ink: #15131d; --soft: #6b6880; --line: #e4e2ea; --accent: #6d3df5 }
  @media (prefers-color-scheme: dark) { :root { --opened: #131118; --card: #1d1a25; --ink: #f1eff7; --soft: #a29eb3; --line: #322e3e; --accent: #a78bfa } }
  body { margin: 0; background: var(--opened); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
  main { max-width: 52rem; margin: 0 auto; padding: 2rem 1rem 4rem }
  h1 { font-size: 1.5rem; margin: 0 0 .25rem } h2 { font-size: 1rem; margin: 2rem 0 .5rem }
  p { margin: 0 0 1rem } .soft { color: var(--soft); font-size: .875rem } a { color: var(--accent) }
  ol { list-style: none; margin: 1.5rem 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
  ol li + li { border-top: 1px solid var(--line) }
  ol a { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .75rem 1rem; color: inherit; text-decoration: none }
  ol a:hover strong, ol a:focus strong { color: var(--accent) }
  iframe { width: 100%; height: 34rem; border: 1px solid var(--line); border-radius: 12px; background: #fff }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 0 1rem; font-size: .875rem } dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
  form { display: flex; gap: .5rem } input { flex: 1; font: inherit; padding: .4rem .6rem } button { font: inherit; padding: .4rem .8rem } ul { padding-left: 1.25rem; overflow-wrap: anywhere }
`;

const page = (title: string, body: unknown) => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${raw(STYLE)}</style></head>
<body><main>${body}</main></body>
</html>`;

const timeTag = (at: Date) =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;

const messageList = (messages: Message[], to: string | null) =>
  page(
    'Inbox',
    html`<h1>Inbox</h1>
<p class="soft">Emails that this installation sent without an SMTP_URL. None of them left this machine.</p>
<form method="get" action="/_dev/inbox"><input type="email" name="to" aria-label="Recipient" placeholder="Recipient" value="${to ?? ''}"><button>Filter</button></form>
${
  messages.length === 0
    ? html`<p>No emails yet. <a href="/_dev/inbox">Reload</a></p>`
    : html`<ol>${messages.map(
        ({ id, subject, to: recipients, receivedAt }) => html`<li><a href="/_dev/inbox/${id}">
<strong>${subject || '(no subject)'}</strong><span class="soft">${timeTag(receivedAt)}</span>
<span class="soft">to ${recipients.join(', ')}</span></a></li>`,
      )}</ol>`
}`,
  );

const messagePage = (message: Message) =>
  page(
    message.subject,
    html`<p><a href="/_dev/inbox">Inbox</a></p>
<h1>${message.subject || '(no subject)'}</h1>
<p class="soft">${message.from} to ${message.to.join(', ')}, ${timeTag(message.receivedAt)}</p>
<h2>Links</h2>
<ul>${linksOf(message).map((link) => html`<li><a href="${link}">${link}</a></li>`)}</ul>
${
  message.html &&
  html`<h2>HTML</h2>
<iframe title="HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${`<base target="_blank">${message.html}`}"></iframe>`
}
<h2>Text</h2>
<pre>${message.text}</pre>
<h2>Headers</h2>
<dl>${message.headers.map(({ key, value }) => html`<dt>${key}</dt><dd>${value}</dd>`)}</dl>`,
  );

const notFoundPage = () =>
  page(
    'Inbox',
    html`<h1>Message not found</h1><p>Only the newest messages are kept. <a href="/_dev/inbox">Inbox</a></p>`,
  );
