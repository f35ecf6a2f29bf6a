import { endingChecks } from './endings.suite';
import { runInSandbox } from './run-suite';

await runInSandbox(endingChecks);
