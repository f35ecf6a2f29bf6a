import fs from 'node:fs';
import path from 'node:path';

export const PACKAGES = fs.readdirSync('packages').map((name) => `packages/${name}`);

/** The folders of test files: ours, and that of each package. */
export const TEST_FOLDERS = ['tests', ...PACKAGES.map((folder) => `${folder}/tests`)];

/** The files that the packages of this repository export, by what an import writes: `name` or `name/part`. */
const exported = new Map(
  PACKAGES.flatMap((folder) => {
    const { name, exports } = JSON.parse(fs.readFileSync(`${folder}/package.json`, 'utf8'));
    return Object.entries<string>(exports).map(([door, file]) => [path.join(name, door), path.join(folder, file)]);
  }),
);

/** The file that an import of a package of this repository loads, relative to the repository. */
export const packageFile = (specifier: string): string | undefined => exported.get(specifier);
