import { failure, type ParseFailure } from './parse-result.ts';

/** Characters of one file that are read: as many as a file has bytes at most. */
export const maxContentLength = 5 * 1024 * 1024;

/** Maps and lists within each other. Real files stay below 30. */
export const maxDepth = 100;

/** `null` when the content can be read: not empty, not too long. */
export function checkContent(content: string): ParseFailure | null {
  if (content.trim() === '') return failure('content', 'the content is empty');
  if (content.length <= maxContentLength) return null;
  return failure('content', `the content has ${content.length} characters (limit ${maxContentLength})`);
}

export function tooDeep(): ParseFailure {
  return failure('content', `the content is nested more than ${maxDepth} levels deep`);
}

/** For a sandbox that runs `parseContent`: the costliest content tried within the caps took 3 s. */
export const parseContentLimits = { deadlineMs: 5_000, maxHeapMb: 256 };
