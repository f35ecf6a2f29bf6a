import { execFile, execFileSync } from 'node:child_process';

/** The path of an installed program, or null. Tests that need a missing program skip that part. */
export function toolPath(name: string): string | null {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** Runs a program on `input`. Returns its standard output and standard error. */
export function runTool(path: string, args: string[], input: Buffer): Promise<{ out: Buffer; messages: string }> {
  return new Promise((resolve, reject) => {
    const child = execFile(path, args, { encoding: 'buffer', maxBuffer: 1 << 30 }, (error, out, messages) => {
      if (error) reject(new Error(`${error.message} ${messages}`));
      else resolve({ out, messages: messages.toString() });
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** Samples of 16 bits, interleaved. */
export function wavBytes(channels: readonly Float32Array[]): Buffer {
  const count = channels[0]!.length;
  const bytes = Buffer.alloc(count * channels.length * 2);
  channels.forEach((channel, c) => {
    for (let i = 0; i < count; i++) {
      const sample = Math.round(Math.max(-1, Math.min(1, channel[i]!)) * 32_767);
      bytes.writeInt16LE(sample, (i * channels.length + c) * 2);
    }
  });
  return bytes;
}
