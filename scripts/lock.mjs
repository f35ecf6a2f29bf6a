// `npm run lock`: completes package-lock.json after a change of dependencies.
// npm omits optional packages of other platforms that it cannot resolve, and `npm ci` then rejects the file.
// This script adds each missing package with its version and platform. It also removes download URLs, because they
// depend on the registry of the machine.
import fs from 'node:fs';

const OS = ['darwin', 'win32', 'android', 'freebsd', 'netbsd', 'openbsd', 'sunos', 'aix', 'openharmony', 'linux'];
const CPU = ['arm64', 'ia32', 'x64', 'loong64', 'riscv64', 's390x', 'ppc64', 'mips64el', 'wasm32', 'arm'];

const file = process.argv[2] ?? 'package-lock.json';
const lock = JSON.parse(fs.readFileSync(file, 'utf8'));

function platform(name) {
  const words = name.split('/').pop().replace('aarch64', 'arm64').replace('x86_64', 'x64').replace('macos', 'darwin');
  const os = OS.find((o) => words.includes(o)) ?? (/musl|gnu/.test(words) ? 'linux' : undefined);
  const cpu = CPU.find((c) => words.includes(c));
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(/musl/.test(words) && { libc: ['musl'] }) };
}

/** Searches like Node: in the folder of the package, then in each folder above it. */
function isLocked(where, name) {
  for (let dir = where; ; dir = dir.slice(0, dir.lastIndexOf('node_modules/')).replace(/\/$/, '')) {
    if (lock.packages[`${dir && `${dir}/`}node_modules/${name}`]) return true;
    if (!dir) return false;
  }
}

let added = 0;
for (const [where, entry] of Object.entries(lock.packages)) {
  // a package of this repository is a link to its folder
  if (!entry.link) delete entry.resolved;
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(where, name)) continue;
    const version = range.replace(/^[\^~]/, '');
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform(name),
      ...(entry.dev && { dev: true }),
      optional: true,
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${file}: ${added} packages of other platforms added`);
