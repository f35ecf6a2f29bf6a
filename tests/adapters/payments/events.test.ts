import { eventChecks } from './events.suite';
import { runInSandbox } from './run-suite';

await runInSandbox(eventChecks);
