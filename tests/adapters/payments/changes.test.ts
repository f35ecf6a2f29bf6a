import { changeChecks } from './changes.suite';
import { runInSandbox } from './run-suite';

await runInSandbox(changeChecks);
