import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Zone, ZoneRecord } from './zone';

const PATH = '/_dev/dns';
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const HEADERS = { 'content-security-policy': POLICY, 'cache-control': 'no-store' };
/** A zone may have more in one record, but no form needs it. */
const MAX_VALUE = 4000;

/** The records of the local name server, without scripts: a list, and forms to enter and delete them. */
export function dnsPages(openZone: () => Promise<Zone>): Hono {
  return new Hono()
    .get(PATH, async (c) => c.html(recordsPage(await (await openZone()).list()), 200, HEADERS))
    .post(PATH, async (c) => {
      const form = await c.req.parseBody();
      const record = readRecord(form);
      const zone = await openZone();
      if (!record) return c.text('not a record', 400);
      if (form.intent === 'delete') await zone.remove(record.host);
      else await zone.add(record);
      return c.redirect(PATH, 303);
    });
}

function readRecord(form: Record<string, unknown>): ZoneRecord | null {
  const text = (name: string) => (typeof form[name] === 'string' ? String(form[name]).trim() : '');
  const [host, value] = [text('host').toLowerCase().replace(/\.$/, ''), text('value')];
  const isHost = host.length < 254 && host.split('.').every((label) => /^[\w-]{1,63}$/.test(label));
  const isValue = value.length <= MAX_VALUE && !value.includes('\0');
  if (!isHost || !isValue) return null;
  return { host, type: text('type') === 'CNAME' ? 'CNAME' : 'TXT', value: value.toWellFormed() };
}

const STYLE = `
  :root { color-scheme: light dark } body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 2rem 1rem }
  form { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0 } input { flex: 1 1 16rem } input, select, button { font: inherit; padding: .4rem .6rem; min-width: 0 }
  li { margin: 0 0 1rem; overflow-wrap: anywhere } li form { margin: .25rem 0 } code { font-size: .875rem }
`;

const recordsPage = (records: ZoneRecord[]) => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>DNS</title><style>${STYLE}</style></head>
<body><h1>DNS</h1>
<p>The records that this installation finds. Nobody else sees them.</p>
<form method="post" action="${PATH}">
<input name="host" aria-label="Host" placeholder="Host" required>
<select name="type" aria-label="Type"><option>TXT</option><option>CNAME</option></select>
<input name="value" aria-label="Value" placeholder="Value" required>
<button>Add</button></form>
<ul>${records.map(
  ({ host, type, value }) => html`<li><strong>${host}</strong> ${type}<br><code>${value}</code>
<form method="post" action="${PATH}"><input type="hidden" name="host" value="${host}"><button name="intent" value="delete" aria-label="Delete the records of ${host}">Delete all of this host</button></form></li>`,
)}</ul></body></html>`;
