import net from 'node:net';

const PASSWORD = 'secret';
type Stored = { uid: number; source: Buffer; flags: Set<string> };

/**
 * A small IMAP server with the folders INBOX and Done, over the wire: as much of RFC 3501 as reading a mailbox needs.
 * `fail` answers the next command of this name with NO.
 */
export async function startImapPeer() {
  const folders = new Map<string, Stored[]>([
    ['INBOX', []],
    ['Done', []],
  ]);
  const commands: string[] = [];
  let nextUid = 1;
  let refused: string | null = null;
  const server = net.createServer((socket) => {
    let selected = 'INBOX';
    let input = '';
    socket.on('error', () => {});
    socket.write('* OK ready\r\n');
    socket.on('data', (chunk) => {
      input += chunk.toString('latin1');
      for (;;) {
        const end = input.indexOf('\r\n');
        if (end < 0) return;
        const line = input.slice(0, end);
        input = input.slice(end + 2);
        answer(line);
      }
    });

    const write = (text: string | Buffer) => void socket.write(text);

    function answer(line: string): void {
      const [, tag = '*', rest = ''] = /^(\S+) (?:UID )?(.*)$/i.exec(line) ?? [];
      const name = (rest.split(' ')[0] ?? '').toUpperCase();
      commands.push(name);
      const isRefused = refused === name;
      if (isRefused) refused = null;
      write(`${tag} ${isRefused ? 'NO refused' : obey(name, rest)}\r\n`);
      if (name === 'LOGOUT') socket.end();
    }

    /** Does what a command says. @returns the text of its answer */
    function obey(name: string, rest: string): string {
      const [, first = '', second = ''] = rest.replaceAll('"', '').split(' ');
      const list = folders.get(selected)!;
      const message = list.find(({ uid }) => uid === Number(first));
      const leave = () =>
        folders.set(
          selected,
          list.filter((one) => one !== message),
        );
      if (name === 'CAPABILITY') write('* CAPABILITY IMAP4rev1 MOVE UIDPLUS\r\n');
      if (name === 'LOGIN' && second !== PASSWORD) return 'NO [AUTHENTICATIONFAILED] wrong';
      // without a pattern, the client asks for what separates folders
      if (name === 'LIST' && second === '') write('* LIST (\\Noselect) "/" ""\r\n');
      else if (name === 'LIST') for (const folder of folders.keys()) write(`* LIST () "/" "${folder}"\r\n`);
      if (name === 'SELECT') {
        selected = first;
        write(`* FLAGS (\\Seen \\Flagged \\Deleted)\r\n* ${folders.get(first)?.length ?? 0} EXISTS\r\n`);
        write(`* OK [UIDVALIDITY 1] ok\r\n* OK [UIDNEXT ${nextUid}] ok\r\n`);
        return 'OK [READ-WRITE] done';
      }
      if (name === 'SEARCH') {
        const unseen = list.filter(({ flags }) => !flags.has('\\Seen')).map(({ uid }) => uid);
        // the order is the server's choice
        write(`* SEARCH ${unseen.reverse().join(' ')}\r\n`);
      }
      if (name === 'FETCH' && message) write(fetched(message, list.indexOf(message) + 1, rest));
      if (name === 'STORE') for (const flag of rest.match(/\\\w+/g) ?? []) message?.flags.add(flag);
      if (name === 'EXPUNGE' && message?.flags.has('\\Deleted')) leave();
      if (name === 'MOVE' && message) {
        const target = folders.get(second);
        if (!target) return 'NO [TRYCREATE] no such folder';
        target.push(message);
        leave();
      }
      if (name === 'LOGOUT') write('* BYE\r\n');
      return 'OK done';
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `imap://bounces:${PASSWORD}@127.0.0.1:${port}/INBOX`,
    commands,
    folders,
    put(source: string | Buffer): void {
      folders.get('INBOX')!.push({ uid: nextUid, source: Buffer.from(source), flags: new Set() });
      nextUid += 1;
    },
    refuseNext(command: string): void {
      refused = command;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function fetched({ uid, source, flags }: Stored, sequence: number, items: string): Buffer {
  const head = `* ${sequence} FETCH (UID ${uid} FLAGS (${[...flags].join(' ')}) RFC822.SIZE ${source.length}`;
  const [, from, length] = /<(\d+)\.(\d+)>/.exec(items) ?? [];
  if (!/BODY/i.test(items)) return Buffer.from(`${head})\r\n`);
  const part = from === undefined ? source : source.subarray(Number(from), Number(from) + Number(length));
  const name = from === undefined ? 'BODY[]' : `BODY[]<${from}>`;
  return Buffer.concat([Buffer.from(`${head} ${name} {${part.length}}\r\n`), part, Buffer.from(')\r\n')]);
}
