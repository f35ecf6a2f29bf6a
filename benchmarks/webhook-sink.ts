// A program that receives webhooks, in a process of its own: /quick answers at once, /slow after half a minute.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SECONDS } from '~/server/base/time';

const SLOW = SECONDS(30);

const server = http.createServer((req, res) => {
  req.resume();
  req.on('end', () => {
    if (req.url === '/slow') setTimeout(() => res.writeHead(204).end(), SLOW);
    else res.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
