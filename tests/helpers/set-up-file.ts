import fc from 'fast-check';
import { closeAtEndOfFile } from './end-of-file.ts';
import { isLong } from './long-tests.ts';
import { countProcessStarts } from './run/count-starts.ts';

countProcessStarts();
closeAtEndOfFile();

// The same commit passes or fails each time; the long form looks for cases that nobody has seen yet.
if (!isLong) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_123 });
