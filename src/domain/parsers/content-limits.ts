import { failure, type ParseFailure } from './parse-result.ts';

/** Maximum number of characters in a file. It equals the maximum file size in bytes. */
export const maxContentLength = 5 * 1024 * 1024;

/** Maximum nesting depth of maps and lists. Real files stay below 30. */
export const maxDepth = 100;

/** Returns `null` if the content is neither empty nor too long. */
export function checkContent(content: string): ParseFailure | null {
  if (content.trim() === '') return failure('content', 'the content is empty');
  if (content.length <= maxContentLength) return null;
  return failure('content', `the content has ${content.length} characters (limit ${maxContentLength})`);
}

export function createTooDeepFailure(): ParseFailure {
  return failure('content', `the content is nested more than ${maxDepth} levels deep`);
}

/**
 * Limits for a sandbox that runs `parseContent`. The most expensive content found within these limits took 3
 * s.
 */
export const parseContentLimits = { deadlineMs: 5_000, maxHeapMb: 256 };
