import fc from 'fast-check';
import { closeAtEndOfFile } from './end-of-file.ts';
import { isLong } from './long-tests.ts';
import { countProcessStarts } from './run/count-starts.ts';
import { recordRows } from './run/record-rows.ts';

countProcessStarts();
closeAtEndOfFile();
recordRows();

// The fixed seed makes results reproducible for a commit. Long test runs use random seeds to find new cases.
if (!isLong) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_123 });
