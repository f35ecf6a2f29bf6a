import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { SettingError } from '~/server/env/setting-error';
import { assertPortFree, describeListening } from '~/server/runtime/free-port';

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

test.each([
  ['192.0.2.1', 'HOST 192.0.2.1 is not an address of this machine'],
  ['nowhere.invalid', 'HOST nowhere.invalid is unknown'],
])('a HOST of another machine, %s, is named without a stack', async (host, text) => {
  const fault = await assertPortFree({ port: 0, host }).catch((error) => error);

  expect(fault).toBeInstanceOf(SettingError);
  expect(fault.message).toContain(text);
});

test('a port that needs the rights of root is named without a stack', () => {
  const denied = Object.assign(new Error('listen EACCES: permission denied 0.0.0.0:80'), { code: 'EACCES' });

  expect(describeListening(denied, { port: 80 }, 'WORKER_PORT')).toEqual(
    new SettingError('WORKER_PORT 80 needs the rights of root. Set WORKER_PORT to 1024 or higher'),
  );
});
