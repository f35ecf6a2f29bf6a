#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { run } from './run.js';

const { ALTAVOZ_KEY, ALTAVOZ_URL, XDG_CONFIG_HOME, BROWSER } = process.env;
const OPENERS: Record<string, string> = { darwin: 'open', linux: 'xdg-open' };

process.exitCode = await run(
  {
    fetch,
    folder: path.join(XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'altavoz'),
    url: ALTAVOZ_URL,
    key: ALTAVOZ_KEY,
    print: (line) => void process.stdout.write(`${line}\n`),
    async read(question) {
      const lines = createInterface({ input: process.stdin, output: process.stdout });
      lines.setPrompt(question);
      lines.prompt();
      // `question` gets no line that ends with the input
      for await (const line of lines) return line;
      return '';
    },
    open(url) {
      const opener = BROWSER ?? OPENERS[process.platform];
      // the person reads the address, too
      if (opener)
        spawn(opener, [url], { detached: true, stdio: 'ignore' })
          .on('error', () => {})
          .unref();
    },
    now: Date.now,
  },
  process.argv.slice(2),
);
