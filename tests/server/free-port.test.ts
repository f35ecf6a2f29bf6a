import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { assertPortFree } from '~/server/runtime/free-port';

test('a port that another program uses is named before anything else starts', async () => {
  const other = net.createServer();
  onTestFinished(() => void other.close());
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;

  await expect(assertPortFree({ port, host: '127.0.0.1' })).rejects.toThrow(
    `PORT ${port} is used by another program. Set PORT to another number`,
  );
  other.close();
  await once(other, 'close');
  await assertPortFree({ port, host: '127.0.0.1' });
});
