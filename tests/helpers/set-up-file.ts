import { closeAtEndOfFile } from './end-of-file.ts';

closeAtEndOfFile();
