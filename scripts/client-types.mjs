// `node --import tsx scripts/client-types.mjs`: writes the types of the TypeScript client from the calls of the API.
import fs from 'node:fs';
import { typesOfCalls } from '../clients/typescript/generate/types-of-calls.ts';

fs.writeFileSync('clients/typescript/src/types.ts', typesOfCalls());
