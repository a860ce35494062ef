/** What the doctor found in one place, in a sentence, and what to do about it. */
export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** Null where nothing is to be done. */
  remedy: string | null;
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message, remedy: null });

/** It works, but not as well as it should, or not for long. */
export const warn = (name: string, message: string, remedy: string): Check => ({
  name,
  status: 'warn',
  message,
  remedy,
});

/** Something does not work. */
export const fail = (name: string, message: string, remedy: string): Check => ({
  name,
  status: 'fail',
  message,
  remedy,
});

/** `a, b and 3 more`. */
export function listSome(names: readonly string[], atMost = 5): string {
  const more = names.length - atMost;
  return more <= 0 ? names.join(', ') : `${names.slice(0, atMost).join(', ')} and ${more} more`;
}

/** `45 s`, `12 min`, `3 h`, `5 d`. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** The first line of an error, without a dot at its end. */
export function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const text = first instanceof Error ? first.message : String(first);
  return (text.split('\n')[0] ?? '').replace(/\.$/, '');
}
