// A reporter of vitest: writes errors that no test has thrown to UNHANDLED_ERRORS, with the running test file if it is
// known. Vitest's JSON reporter leaves them out.
import fs from 'node:fs';
import path from 'node:path';

export default class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    const found = errors.map(({ message, VITEST_TEST_PATH: file }) => ({
      message: String(message).split('\n')[0],
      file: file ? path.relative('', file) : null,
    }));
    fs.writeFileSync(process.env.UNHANDLED_ERRORS, JSON.stringify(found));
  }
}
