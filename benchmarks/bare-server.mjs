// The least work possible in Node: sends the same bytes for every request. `node bare-server.mjs <port> <file>`; with a
// third argument, `work`, it does a fixed amount of JavaScript before each answer: a unit for work of the same kind.
import fs from 'node:fs';
import http from 'node:http';

const [port, file, work] = process.argv.slice(2);
const body = fs.readFileSync(file);
const headers = { 'content-type': 'application/octet-stream', 'content-length': String(body.length) };

http
  .createServer((_req, res) => {
    if (work) makeList();
    res.writeHead(200, headers);
    res.end(body);
  })
  .listen(Number(port), '127.0.0.1');

/** Objects, JSON, regular expressions and strings, as in a page. */
function makeList() {
  const rows = Array.from({ length: 400 }, (_, i) => ({ id: i, name: `Episodio <${i}> & más`, tags: ['uno', 'dos'] }));
  const items = JSON.parse(JSON.stringify(rows)).map(
    ({ id, name, tags }) =>
      `<li id="${id}">${name.replace(/[&<>]/g, (found) => `&#${found.charCodeAt(0)};`)}: ${tags}</li>`,
  );
  return Buffer.byteLength(items.join(''));
}
