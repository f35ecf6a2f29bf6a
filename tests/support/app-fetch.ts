import http from 'node:http';

/**
 * `fetch` for clients of the app's own address, which reaches the test's server on its port: the address of the tests,
 * `http://altavoz.localhost:3000`, has no server.
 */
export function appFetch(port: number): typeof fetch {
  return async (target, init) => {
    const request = new Request(target, init);
    const { host, pathname, search } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const headers = {
      ...Object.fromEntries(request.headers),
      host,
      ...(body.length > 0 && { 'content-length': body.length }),
    };
    return new Promise((resolve, reject) => {
      const options = {
        port,
        host: '127.0.0.1',
        method: request.method,
        path: pathname + search,
        headers,
        agent: false,
      };
      const sent = http.request(options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const { statusCode: status = 0 } = answer;
          const given = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          );
          resolve(
            new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers: given }),
          );
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  };
}
