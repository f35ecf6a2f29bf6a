// The least work possible in Node: sends the same bytes for every request. `node bare-server.mjs <port> <file>`
import fs from 'node:fs';
import http from 'node:http';

const [port, file] = process.argv.slice(2);
const body = fs.readFileSync(file);
const headers = { 'content-type': 'application/octet-stream', 'content-length': String(body.length) };

http
  .createServer((_req, res) => {
    res.writeHead(200, headers);
    res.end(body);
  })
  .listen(Number(port), '127.0.0.1');
