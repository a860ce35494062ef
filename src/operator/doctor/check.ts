/** Result of one check of `doctor`: a message, and a remedy if the check found a problem. */
export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** Action that fixes the problem. `null` if no action is required. */
  remedy: string | null;
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message, remedy: null });

/** Creates a result for a component that works, but not as well as it should, or that will soon stop working. */
export const warn = (name: string, message: string, remedy: string): Check => ({
  name,
  status: 'warn',
  message,
  remedy,
});

/** Creates a result for a component that doesn't work. */
export const failedCheck = (name: string, message: string, remedy: string): Check => ({
  name,
  status: 'fail',
  message,
  remedy,
});

/** Returns a shortened list, such as `a, b and 3 more`. */
export function listSome(names: readonly string[], atMost = 5): string {
  const more = names.length - atMost;
  return more <= 0 ? names.join(', ') : `${names.slice(0, atMost).join(', ')} and ${more} more`;
}

/** Formats a duration, such as `45 s`, `12 min`, `3 h`, or `5 d`. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** Returns the first line of an error message without its final period. */
export function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const text = first instanceof Error ? first.message : String(first);
  return (text.split('\n')[0] ?? '').replace(/\.$/, '');
}
